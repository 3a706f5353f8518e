"""A trained network as the search sees it. `wattman.models` has the one kind that there is."""


cdef class Evaluator:
    """Base of what guides a search; a subclass fills `guide`."""
