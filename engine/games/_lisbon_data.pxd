from wattman.engine.games._lisbon_knowledge cimport Info
from wattman.engine.games._lisbon_memory cimport Memory
from wattman.engine.games._lisbon_state cimport Data, State


cdef dict table_to_dict(const Data* d, const State* s, int player, board)
cdef dict memory_to_dict(const State* s, const Memory* m)
cdef object dict_to_info(const Data* d, dict data, Info* k, board)
