# Portland's structs as plain data; see _portland_dict.pyx.
from wattman.engine.games._portland_knowledge cimport Info
from wattman.engine.games._portland_state cimport Data, State

cdef dict table_to_dict(const Data* d, object notation, const State* s, int player, int reshuffles)
cdef dict memory_to_dict(const Data* d, object notation, const Info* k)
cdef int dict_to_info(const Data* d, object notation, dict data, Info* k) except -1
