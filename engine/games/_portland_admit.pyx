"""Bringing what a player of Portland knows forward by what he sees, with a reason where that is impossible."""
from libc.stdint cimport int32_t
from libc.string cimport memset

from wattman.engine.abi cimport GameC
from wattman.engine.games._portland_knowledge cimport Info, prepare
from wattman.engine.games._portland_memory cimport NOTHING_TOLD, TOLD_TOO_LITTLE, Hand, Memory, remember_returned, see_kept
from wattman.engine.games._portland_rules cimport fill_market, legal, paid
from wattman.engine.games._portland_state cimport (
    CHOOSE,
    DEAL_HANDS,
    DEAL_TICKETS,
    DRAW_FIRST,
    DRAW_SECOND,
    KEEP,
    NONE,
    OFFER,
    OFFERED,
    OVER,
    REFILL,
    ROUTES,
    SECOND,
    TURN,
    TURN_NEXT,
    UNKNOWN,
    Data,
    Route,
    State,
    bits_of,
    has,
    put,
)

cdef enum:
    GAME_OVER = 1
    NOT_NOW = 2
    NO_SUCH_CARD = 3
    NO_SUCH_TICKET = 4
    NOT_SEEN = 5
    CANNOT_PAY = 6
    CONTRADICTION = 7
    CHECK_UNTOLD = 8
    NO_CHECK = 9
    NO_EVENT = 10


cdef int admit(const GameC* game, void* info, int32_t label) noexcept nogil:
    cdef const Data* d = <const Data*>game.data
    cdef Info trial = (<Info*>info)[0]
    cdef int code
    if not 0 <= label < 3 * d.told:
        return NO_EVENT
    trial.memory.told = label // d.told
    code = admit_to(game, d, &trial, label % d.told)
    if code:
        return code
    if trial.memory.told == TOLD_TOO_LITTLE:
        return CHECK_UNTOLD
    if trial.memory.told != NOTHING_TOLD:
        return NO_CHECK
    prepare(d, &trial)
    if trial.impossible:
        return CONTRADICTION
    (<Info*>info)[0] = trial
    return 0


cdef bint is_legal(const GameC* game, const State* s, int32_t event) noexcept nogil:
    cdef int32_t ids[2 * ROUTES + 8]
    cdef int i
    for i in range(legal(game, s, ids)):
        if ids[i] == event:
            return True
    return False


cdef bint is_unseen(const Info* k, int ticket) noexcept nogil:
    cdef int i
    for i in range(k.n_unseen):
        if k.unseen[i] == ticket:
            return True
    return False


cdef int admit_to(const GameC* game, const Data* d, Info* k, int32_t label) noexcept nogil:
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int observer = m.observer - 1
    cdef bint own = s.player == observer, of_ticket
    if s.phase == OVER:
        return GAME_OVER
    if d.card <= label < d.card_unseen or label == d.card_unseen or label == d.ticket_unseen:
        of_ticket = label >= d.ticket and label != d.card_unseen
        if of_ticket != (s.phase == DEAL_TICKETS or s.phase == OFFER):
            return NOT_NOW
        if not of_ticket and s.phase != REFILL and s.phase != DEAL_HANDS and s.phase != DRAW_FIRST and s.phase != DRAW_SECOND:
            return NOT_NOW
        if (label < d.card_unseen) != (own or s.phase == REFILL):
            return NOT_SEEN
        if label < d.ticket:
            if k.pool[m.n_piles - 1][label - d.card] == 0:
                return NO_SUCH_CARD
        elif label < d.card_unseen:
            if m.tickets[observer].n_log == 0:
                if not is_unseen(k, label - d.ticket) if s.n_fresh or s.queue[0] == UNKNOWN else s.queue[0] != label - d.ticket:
                    return NO_SUCH_TICKET
            elif has(s.held[observer], label - d.ticket) or (s.queue[0] != UNKNOWN and s.queue[0] != label - d.ticket):
                return NO_SUCH_TICKET
        game.apply(game, s, m, label)
        return 0
    if s.phase == REFILL or s.phase == DEAL_HANDS or s.phase == DRAW_FIRST or s.phase == DRAW_SECOND or s.phase == DEAL_TICKETS or s.phase == OFFER:
        return NOT_NOW
    if own:
        if s.phase == CHOOSE and observer == d.players - 1:
            return admit_last_choice(d, k, label)
        if label >= d.card:
            return NOT_NOW
        if not is_legal(game, s, label):
            return NOT_NOW
        game.apply(game, s, m, label)
        return 0
    if label >= d.claimed:
        return admit_claim(d, k, label - d.claimed)
    if d.kept <= label < d.first_kept:
        return admit_kept(d, k, label - d.kept + 1)
    if label == d.keep_unseen:
        if s.phase != CHOOSE or s.player + 1 == d.players:
            return NOT_NOW
        s.chosen[s.player] = UNKNOWN
        s.player += 1
        return 0
    if d.first_kept <= label < d.last_kept:
        if s.phase != CHOOSE or s.player + 1 != d.players:
            return NOT_NOW
        return admit_first_counts(d, k, label - d.first_kept)
    if label >= d.claim and label != d.skip:
        return NOT_SEEN
    if s.phase != TURN and s.phase != SECOND:
        return NOT_NOW
    if not is_legal(game, s, label):
        return NOT_NOW
    game.apply(game, s, m, label)
    return 0


cdef int admit_claim(const Data* d, Info* k, int code) noexcept nogil:
    """Another player's claim with its payment."""
    cdef State* s = &k.state
    cdef Hand* h = &k.memory.hand[s.player]
    cdef const Route* r
    cdef int route = d.routes - 1, kind, passes, cards, t
    if s.phase != TURN:
        return NOT_NOW
    while d.claimed_from[route] > code:
        route -= 1
    r = &d.route[route]
    code -= d.claimed_from[route]
    kind = code // r.length
    passes = code % r.length
    if r.type != d.wild:
        kind = r.type if kind == 0 else d.wild
    if kind == d.wild:
        passes = r.length
    cards = r.length - passes
    if not has(s.open[s.player], route) or s.trains[s.player] < r.length:
        return NOT_NOW
    if not d.free and passes:  # he has no more cards that could have been used
        for t in range(d.wild):
            if t == kind and h.known[t] > cards:
                return CANNOT_PAY
            if kind == d.wild and (t == r.type or r.type == d.wild) and h.known[t]:
                return CANNOT_PAY
    if not could_pay(k, s.player, kind, cards) or not could_pay(k, s.player, d.wild, passes if kind != d.wild else r.length):
        return CANNOT_PAY
    paid(d, s, &k.memory, route, kind, passes)
    return 0


cdef bint could_pay(const Info* k, int player, int kind, int n) noexcept nogil:
    """Whether a hand may hold so many cards of a type; what it has spent is left to `prepare`."""
    cdef const Hand* h = &k.memory.hand[player]
    cdef int i, j, room, most = h.known[kind]
    for i in range(k.memory.n_piles):
        room = 0
        for j in range(h.n_lots):
            if h.lots[j].pile == i and not h.lots[j].never >> kind & 1:
                room += h.lots[j].n
        most += min(room, <int>k.pool[i][kind])
    return n <= most


cdef int admit_kept(const Data* d, Info* k, int kept) noexcept nogil:
    """Another player keeps so many of the tickets offered."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int i, n = s.n_offer
    if s.phase != KEEP or kept > n or kept < min(d.more_keep, n):
        return NOT_NOW
    see_kept(s, m, m.observer - 1, s.player, s.offer, n, kept)
    remember_returned(s, m, s.player, n - kept)
    memset(m.offer_owner, NONE, OFFERED)
    s.n_tickets[s.player] += kept
    for i in range(n - kept):
        s.queue[s.n_queue] = UNKNOWN
        s.n_queue += 1
    memset(s.offer, 0, OFFERED)
    s.n_offer = 0
    s.after = TURN_NEXT
    fill_market(d, s, m)
    return 0


cdef int admit_first_counts(const Data* d, Info* k, int32_t code) noexcept nogil:
    """How many first tickets all have kept."""
    cdef State* s = &k.state
    cdef Memory* m = &k.memory
    cdef int observer = m.observer - 1, p, i, kept
    for p in range(d.players):
        kept = d.start_keep + code % d.digits
        code //= d.digits
        if p == observer and kept != bits_of(s.chosen[p]):
            return NOT_NOW
        remember_returned(s, m, p, d.start_offered - kept)
        s.n_tickets[p] += kept
        for i in range(d.start_offered):
            if p == observer:
                if s.chosen[p] >> i & 1:
                    put(s.held[p], s.first[p][i])
                else:
                    s.queue[s.n_queue] = s.first[p][i]
                    s.n_queue += 1
            elif i >= kept:
                s.queue[s.n_queue] = UNKNOWN
                s.n_queue += 1
    memset(s.first, 0, sizeof(s.first))
    memset(s.chosen, 0, sizeof(s.chosen))
    s.player = 0
    s.phase = TURN
    return 0


cdef int admit_last_choice(const Data* d, Info* k, int32_t label) noexcept nogil:
    """The observer is the last to choose, and sees with it how many the others keep."""
    cdef State* s = &k.state
    cdef int i, mask, others = 1
    if not d.last_kept <= label < d.claimed:
        return NOT_NOW
    for i in range(d.players - 1):
        others *= d.digits
    label -= d.last_kept
    mask = 1 + label // others
    if mask >> d.start_offered or bits_of(mask) < d.start_keep:
        return NOT_NOW
    s.chosen[s.player] = mask
    return admit_first_counts(d, k, label % others + (bits_of(mask) - d.start_keep) * others)
