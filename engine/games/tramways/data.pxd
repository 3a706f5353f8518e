from wattman.engine.games.tramways.knowledge cimport Info
from wattman.engine.games.tramways.state cimport Data, State

cdef dict table_to_dict(const Data* d, const State* s, int player, notation)
cdef dict memory_to_dict(const Data* d, const Info* k, notation)
cdef object dict_to_info(const Data* d, dict data, Info* k, notation)
