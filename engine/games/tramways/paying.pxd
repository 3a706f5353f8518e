from libc.stdint cimport uint64_t, uint8_t

from wattman.engine.games.tramways.state cimport CARDS, ICONS, TERMINALS, Data, Player, State

cdef enum:
    NEVER = 99          # stress of what cannot be paid


cdef struct Need:
    # What an action costs: `rails`, and an icon of each slot of a variant.
    int rails
    int variants
    int n[2]            # slots
    int slot[2][3]      # icons that will do, as bits
    int lot[2]          # the cards whose lot icon counts


cdef struct Hand:
    # The cards of a hand by what they show, as bits of their places in it.
    int n
    int rails           # of all cards together
    int room            # stress that may still come
    uint64_t worth[4]   # cards with 0, 1, 2, 3 rails
    uint64_t icon[ICONS]
    uint64_t double     # two destinations R C L I S


cdef void look_at(const Data* d, const Player* p, Hand* out) noexcept nogil
cdef void rails_for(const Data* d, const State* s, const Hand* hand, int player, int* out, int* funfair) noexcept nogil
cdef void need_of(const Data* d, const State* s, int action, int a, int b, int type, int cost, Need* out) noexcept nogil
cdef bint payable(const Data* d, const State* s, const Hand* hand, const Need* need) noexcept nogil
cdef int stress_of(const Data* d, const State* s) noexcept nogil
cdef bint settled(const Data* d, const State* s) noexcept nogil
cdef uint64_t payment_options(const Data* d, const State* s) noexcept nogil
