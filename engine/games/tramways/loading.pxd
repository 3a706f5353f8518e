from wattman.engine.games.tramways.state cimport Data

cdef object load_into(Data* d, made, notation, int players, expansions)
