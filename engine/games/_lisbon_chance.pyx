"""Lisbon Tram 28's chance events: which are possible, one of them, and the piles of physical things behind them."""
from libc.stdint cimport int32_t, uint8_t, uint32_t

from wattman.engine.abi cimport GameC, Stream
from wattman.engine.games._lisbon_memory cimport Memory
from wattman.engine.games._lisbon_rails cimport lowest
from wattman.engine.games._lisbon_state cimport (
    COLOURS,
    END_TICKET,
    PUSH_TICKET,
    REFILL_BAG,
    RING_BAG,
    SETUP_BAG,
    SETUP_TICKET,
    Data,
    State,
    passengers,
)
from wattman.engine.games._lisbon_tickets cimport drawer_of_push
from wattman.engine.rng cimport Rng, rng_below


cdef inline const uint8_t* pile_of(const Data* d, const State* s, int* first) noexcept nogil:
    """The counts by colour that the next event is drawn from, and the id of the first; NULL at a card."""
    if s.phase == SETUP_TICKET or s.phase == PUSH_TICKET or s.phase == END_TICKET:
        first[0] = d.ticket
        return &s.deck[0] if s.n_deck else &s.discard[0]
    if s.phase == SETUP_BAG or s.phase == RING_BAG or s.phase == REFILL_BAG:
        first[0] = d.bag
        return s.bag
    return NULL


cdef int chance(const GameC* game, const void* state, int32_t* ids, double* probabilities) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int first, i, n = 0
    cdef double total
    cdef const uint8_t* pile = pile_of(d, s, &first)
    if pile != NULL:
        total = passengers(pile)
        for i in range(COLOURS):
            if pile[i]:
                ids[n] = first + i
                probabilities[n] = pile[i] / total
                n += 1
        return n
    for i in range(d.cards):
        if s.pile >> i & 1:
            ids[n] = d.card + i
            n += 1
    for i in range(n):
        probabilities[i] = 1.0 / n
    return n


cdef int32_t sample(const GameC* game, const void* state, Rng* rng) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef int first, pick
    cdef uint32_t cards
    cdef const uint8_t* pile = pile_of(d, s, &first)
    if pile != NULL:
        pick = rng_below(rng, passengers(pile))
        while pick >= pile[0]:
            pick -= pile[0]
            pile += 1
            first += 1
        return first
    cards = s.pile
    pick = 0
    while cards:
        cards &= cards - 1
        pick += 1
    cards = s.pile
    for pick in range(rng_below(rng, pick)):
        cards &= cards - 1
    return d.card + lowest(cards)


cdef void stream(const GameC* game, const void* state, const void* memory, Stream* out) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef const State* s = <const State*>state
    cdef const Memory* m = <const Memory*>memory
    cdef const uint8_t* start
    cdef int first, i
    cdef const uint8_t* pile = pile_of(d, s, &first)
    if pile != NULL:
        out.stream = 0 if first == d.ticket else 1
        if out.stream == 0:
            # A reshuffle that is due comes with the draw.
            out.epoch = m.reshuffles + (s.n_deck == 0)
            start = &m.start_deck[0] if s.n_deck else &s.discard[0]
        else:
            out.epoch = m.refills
            start = m.start_bag
        out.n = COLOURS
        for i in range(COLOURS):
            out.ids[i] = first + i
            out.kind[i] = i
            out.start[i] = start[i]
            out.left[i] = pile[i]
        return
    out.stream = 2
    out.epoch = 0
    out.n = 0
    for i in range(d.cards):
        if s.pile >> i & 1:
            out.ids[out.n] = d.card + i
            out.kind[out.n] = i
            out.start[out.n] = out.left[out.n] = 1
            out.n += 1


cdef int drawer(const Data* d, const State* s) noexcept nogil:
    """Who draws the ticket that is next."""
    if s.phase == PUSH_TICKET:
        return drawer_of_push(s)
    if s.phase == SETUP_TICKET:
        return s.count // d.start_hand
    return s.player
