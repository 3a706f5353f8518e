# Trambahn's structs as plain data and back; see _trambahn_data.pyx.
from wattman.engine.games._trambahn_knowledge cimport Info
from wattman.engine.games._trambahn_memory cimport Memory
from wattman.engine.games._trambahn_state cimport State

cdef dict table_to_dict(const State* s, int player, int reshuffles)
cdef dict memory_to_dict(const State* s, const Memory* m)
cdef object dict_to_info(dict data, Info* k)
