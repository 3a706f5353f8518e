# When the rest of a search's budget is not worth spending.
from libc.stdint cimport uint32_t, uint64_t

from wattman.search.context cimport Context, root_node
from wattman.search.tree cimport Edge, Node


cdef inline bint settled(Context* c, uint64_t left) noexcept nogil:
    """Whether so many more simulations cannot change which root move has the most visits."""
    cdef Node* root = root_node(c)
    cdef Edge* edge
    cdef uint32_t i, most = 0, second = 0
    cdef int k
    if c.n_root == 1:
        return True
    for i in range(root.first, root.first + root.count):
        edge = &c.tree.edges[i]
        for k in range(c.n_root):
            if c.root_ids[k] == edge.action:
                if edge.visits > most:
                    second = most
                    most = edge.visits
                elif edge.visits > second:
                    second = edge.visits
                break
    return most > second + left
