# What the players of Portland have seen and can remember beyond what lies there; see _portland_memory.pyx.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from wattman.engine.games._portland_state cimport OFFERED, SEATS, TICKETS, TYPES, Data, State

cdef enum:
    PILES = 6           # piles told apart; of more the oldest are taken together
    LOTS = 8            # lots of a player told apart, likewise
    SPENT = 8
    LIMITS = 3
    GUARDS = 4
    NO_BOUND = 255


cdef struct Lot:
    # Cards that a player drew blind and that are not known to have left his hand.
    uint8_t pile
    uint8_t n
    uint16_t never      # types that none of them can be: he has shown that he had no more of them


cdef struct Spent:
    # Cards of one type, paid, that came from one of these lots; it is not known from which, so the lots still count them.
    uint8_t type
    uint8_t n
    uint16_t lots


cdef struct Limit:
    # The player had to skip: with the hand of that moment he could not pay for any route.
    uint16_t lots             # drawn before
    uint8_t spent             # `Spent` made before
    uint8_t base[TYPES]       # cards of that hand that are known
    uint8_t most[TYPES]       # of each type, together with the passes


cdef struct Guard:
    # Whether the market was reset depended on the cards of the pile at that moment: how many of them were no passes?
    uint8_t pile
    uint8_t least
    uint8_t most              # NO_BOUND: as many as you like. Both without those seen since
    uint8_t own[SEATS]        # of those the player has drawn blind since; his own to know
    uint16_t lots[SEATS]      # drawn since


cdef struct Hand:
    # What everybody can know about a player's hand.
    uint8_t known[TYPES]
    uint8_t n_lots
    uint8_t n_spent
    uint8_t n_limits
    uint8_t closed            # the next blind draw begins a new lot
    Lot lots[LOTS]
    Spent spent[SPENT]
    Limit limits[LIMITS]


cdef struct Offered:
    # One offer of which tickets were kept and the others went to the bottom.
    uint8_t player
    uint8_t n
    uint8_t kept              # how many; the observer's own: which, as bits
    uint8_t tickets[OFFERED]  # the observer's own offers; else 0


cdef struct Tickets:
    # What one observer knows about tickets beyond his own ones. The log begins with the first offer to another player in which some
    # tickets were known to the observer and not all were kept; until then it is empty, and so are the base's other fields.
    uint64_t held[SEATS][2]   # base: tickets known to be held by the others
    uint8_t n_held[SEATS]     # base: tickets that the players held
    uint8_t n_fresh           # base
    uint8_t n_queue           # base
    uint8_t n_log
    uint8_t queue[TICKETS]    # base: tickets returned, UNKNOWN where the observer does not know
    Offered log[TICKETS]


cdef struct Memory:
    uint8_t observer          # 0: all players' memories; 1 + p: only player p's (inside his Info)
    uint8_t players
    uint8_t wild
    uint8_t told              # inside an Info: what was seen of the market's check, see `remember_guard`
    uint8_t reshuffles
    uint8_t n_piles
    uint8_t n_guards
    uint8_t start[TYPES]      # the pile when it, or the dealt world, began (for Deal); zero in an Info
    uint8_t pile[PILES][TYPES]        # cards of it that are not known to all: drawn blind, or still in it (the last pile)
    uint8_t own[SEATS][PILES][TYPES]  # blind draws of a player from it, without those taken off `pile`; his own to know
    uint8_t owner[TICKETS]    # beside State.queue: who returned it
    uint8_t offer_owner[OFFERED]      # beside State.offer: who returned it, NONE: a fresh one
    Hand hand[SEATS]
    Guard guards[GUARDS]
    Tickets tickets[SEATS]


cdef enum Told:
    NOTHING_TOLD
    TOLD_RESET
    TOLD_LEFT
    TOLD_TOO_LITTLE     # set by remember_guard: it would have to be known


cdef inline bint keeps(const Memory* memory, int player) noexcept nogil:
    return memory.observer == 0 or memory.observer == 1 + player


cdef void remember_deal(const Data* d, Memory* m) noexcept nogil
cdef void remember_blind(Memory* m, int player, int kind) noexcept nogil
cdef void remember_face_up(Memory* m, int kind) noexcept nogil
cdef void remember_taken(Memory* m, int player, int kind) noexcept nogil
cdef void remember_payment(const Data* d, const State* s, Memory* m, int route, int kind, int passes) noexcept nogil
cdef void remember_skip(const Data* d, const State* s, Memory* m) noexcept nogil
cdef void remember_reshuffle(const State* s, Memory* m) noexcept nogil
cdef int undecided(int normal, int n_deck) noexcept nogil
cdef bint remember_guard(const State* s, Memory* m, bint reset) noexcept nogil
cdef void remember_offered(const State* s, Memory* m) noexcept nogil
cdef void remember_returned(const State* s, Memory* m, int player, int n) noexcept nogil
cdef void remember_kept(const State* s, Memory* m, int player, const uint8_t* offer, int n, int mask) noexcept nogil
cdef void see_kept(const State* s, Memory* m, int observer, int player, const uint8_t* offer, int n, int kept) noexcept nogil
