# Lisbon Tram 28 as plain data: the loaded board (Data) and the state of a game. The rules are in _lisbon_rules.pyx, movement and pushing in
# _lisbon_rails.pxd, payments in _lisbon_paying.pxd; what players remember and know in _lisbon_memory.pxd and _lisbon_knowledge.pyx.
#
# Colours of tickets and passengers are 0..3 (R Y G B), 4 = UNKNOWN (a ticket that an Info does not know). Places, stops and cards are
# numbers in the order of the board file; a stop's number counts the tram stops alone.
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    SEATS_AT_TABLE = 4
    COLOURS = 4
    UNKNOWN = 4
    NONE = 255          # no place, no card
    # Caps of the arrays below; _lisbon_board_check.py refuses boards beyond them.
    PLACES = 48
    STOPS = 20
    WAYS = 6            # rails that meet at a place
    CARDS = 32
    SPACES = 6          # of the display
    PATHS = 4096        # runs through emptied stops; `Lisbon._load` refuses more

# Event ids that do not depend on the board; the others begin where Data says.
cdef enum:
    MOVE = 0            # + colour
    BOARD = 4
    RING = 5
    RING3 = 6
    BONUS = 7
    END = 8
    HALT = 9
    PAY = 10
    DECLINE = 11
    SWAP = 12           # + 3 * colour + which of the other colours
    KEEP = 24           # + colour
    FIXED = 28

cdef enum Phase:
    SETUP_BAG           # chance
    SETUP_TICKET
    SETUP_CARD
    TURN                # decisions
    MOVING
    PAYING
    KEEPING
    SHUNTING
    PLACING
    RING_BAG            # chance
    REFILL_BAG
    NEXT_CARD           # the card after the one just displayed becomes visible
    SPACE_CARD          # a face-down card goes straight into the freed space
    PUSH_TICKET
    END_TICKET
    OVER

# Bonuses as bits of State.bonuses, in the order of _lisbon_board.BONUSES, and State.used.
cdef enum:
    HAS_SEATS = 1
    HAS_ACTION = 2
    HAS_FREE = 4
    HAS_BELL = 8

# What a payment is for; RUNG: after a ring, so it may be declined.
cdef enum:
    FOR_GROUP = 1
    FOR_BONUS = 2
    RUNG = 4

# The last thing that everybody saw, where what followed may be hidden: the mover's choices up to the next thing seen.
cdef enum:
    AFTER_STEP = 1      # a step of a move action: whether the action goes on is not seen
    AFTER_RING = 2      # the ring's passenger has come: whether the group will be paid is not seen

# Stages of a move action.
cdef enum:
    FRESH = 0
    BEGUN = 1           # only the free step so far (German rules)
    PAID = 2

cdef enum Refill:
    ALWAYS
    BY_SPACE
    BY_MONUMENT


cdef struct Path:
    # The places that a step enters, the landing place last; all others are tram stops (run through when emptied).
    uint64_t mask
    uint16_t at         # the first of them in Data.path_places
    uint8_t length
    uint8_t landing


cdef struct Run:
    # A node of the tree of paths from a place, in preorder: enter `place`; the subtree continues from there.
    uint16_t path
    uint16_t skip       # nodes of this subtree, this one included
    uint8_t place


cdef struct Data:
    # A loaded board with its options. Owned by the Python Game.
    int players
    int places
    int stops
    int cards
    int paths
    int n_spaces
    # Event ids: the first of each kind.
    int claim           # + 3 * card + (0: first card, 1: left, 2: right)
    int shunt           # + place
    int place           # + stop
    int free            # + path
    int step            # + path
    int exchange        # + 4 * path + colour: a step paid with three tickets of that colour
    int bag             # + colour; outcomes from here on
    int ticket          # + colour
    int card            # + card
    int first_step      # + 4 * path + colour: the first step of a move action and its ticket; partial labels from here on
    int first_free      # + path: a move action begins with its free step (German rules)
    int step_for        # + 4 * path + colour: the first paid step after a free one (German rules)
    int ticket_unseen
    int board_for       # + tickets paid, as a number of four digits with base `digit`, R first
    int bonus_for       # + tickets paid
    int paid            # + tickets paid for the larger group after a ring
    int digit
    int events
    uint8_t german
    uint8_t refill
    uint8_t stall_rounds
    uint8_t rossio
    uint8_t tickets_each
    uint8_t start_hand
    uint8_t end_of_turn
    uint8_t passengers_each
    uint8_t each_stop
    uint8_t face_up             # cards still lying face up on the pile when the display is full
    uint8_t seats[2]            # for each colour: at the start, with the bonus
    uint8_t spaces[SPACES]      # display spaces in use
    uint64_t always_open        # places where one may always stop: all but the tram stops
    uint8_t stop_of[PLACES]     # number of the tram stop, NONE
    uint8_t stop_place[STOPS]
    uint8_t colour_of[PLACES]   # of a bonus stop, NONE
    uint8_t bonus_stop[COLOURS]
    uint8_t bonus_of[SEATS_AT_TABLE][COLOURS]   # bit of the bonus that a colour unlocks
    uint8_t card_place[CARDS]
    uint8_t card_vp[CARDS]
    uint8_t demand[CARDS][COLOURS]
    uint8_t cramped[2][CARDS]   # passengers of a demand beyond all seats: at the start, with the bonus
    uint8_t left[CARDS]         # colours of the half-tickets on an edge, as bits
    uint8_t right[CARDS]
    uint8_t symbol_of_space[SPACES]
    uint8_t symbol_of_place[PLACES]
    uint8_t degree[PLACES]
    uint8_t near[PLACES][WAYS]
    uint8_t way_to[PLACES][PLACES]              # [v][u]: which of near[v] is u
    uint64_t near_mask[PLACES]
    uint64_t onward[PLACES][WAYS]               # [v][i]: where the rails lead on at v for one who comes from near[v][i]
    uint8_t straight[PLACES][WAYS][WAYS]        # [v][i]: near[v] from the smallest bend up for one who comes from near[v][i]
    uint16_t runs[PLACES + 1]                   # the tree of paths from a place: tree[runs[p]] .. tree[runs[p + 1] - 1]
    Run* tree
    Path* path
    uint8_t* path_places
    uint8_t distance[PLACES][PLACES]            # steps with passengers at every stop
    uint64_t way[PLACES][PLACES]                # places that a shortest way enters then; ways to one place run together


cdef struct Move:
    # A move action in progress.
    uint8_t colour
    uint8_t stage
    uint8_t late        # 1 + colour of the ticket that the mover drew inside this action, 0: none; it cannot pay in it
    uint8_t free_open   # German rules: the action's free step is still to be had


cdef struct State:
    uint64_t open       # places where one may stop
    uint64_t line       # push: places that the line has entered, and the one that the mover leaves unless Rossio
    uint32_t pile       # monument cards nobody has seen yet, as bits
    uint16_t vp[SEATS_AT_TABLE]     # of the cards alone
    uint8_t observer    # 1 + observer in an Info, 0 in a State
    uint8_t phase
    uint8_t player      # on turn
    uint8_t actions     # left
    uint8_t used        # bonuses used this turn: HAS_FREE, HAS_BELL
    uint8_t drew        # players who have drawn a push ticket this turn, as bits
    uint8_t idle        # complete rounds in a row without a claim
    uint8_t claimed     # this round has seen a claim
    uint8_t last_round
    uint8_t stalled     # the game was ended by the stall guard
    uint8_t count       # set-up: events of this kind so far; elsewhere draws still to be made
    uint8_t trail       # AFTER_STEP, AFTER_RING or 0
    Move move
    Move trail_move     # the move action as it was when all saw it last
    uint8_t at[SEATS_AT_TABLE]
    uint8_t bonuses[SEATS_AT_TABLE]
    uint8_t aboard[SEATS_AT_TABLE][COLOURS]
    uint8_t hand[SEATS_AT_TABLE][COLOURS]   # what is known of it, in an Info
    uint8_t n_hand[SEATS_AT_TABLE]
    uint8_t bag[COLOURS]
    uint8_t gone[COLOURS]           # passengers set aside
    uint8_t deck[COLOURS]           # zeros in an Info
    uint8_t discard[COLOURS]
    uint8_t n_deck
    uint8_t n_discard
    uint8_t face_up                 # cards lying face up on the pile, the next one included
    uint8_t next_card               # the visible one, NONE
    uint8_t display[SPACES]         # cards, NONE
    uint8_t space                   # claim: the freed space
    uint8_t n_row[SEATS_AT_TABLE]
    uint8_t row_left[SEATS_AT_TABLE]    # cards at the ends of the rows, NONE
    uint8_t row_right[SEATS_AT_TABLE]
    uint8_t links[SEATS_AT_TABLE]   # complete tickets between the cards
    uint8_t right_of[CARDS]         # the card to the right in a row, NONE
    uint8_t purpose                 # payment: FOR_GROUP, FOR_BONUS, RUNG
    uint8_t swapped                 # payment: 4 * X + D of the last swap
    uint8_t need[COLOURS]           # payment: tickets still to be paid by themselves
    uint8_t pay[COLOURS]            # payment: tickets that stand for others
    uint8_t drawn[COLOURS]          # passengers out of the bag and not yet anywhere
    uint8_t n_pushed
    uint8_t placed                  # push: how many of them have found their place; then whose ticket is next
    uint8_t pushed[SEATS_AT_TABLE - 1]  # trams met, from the mover outwards
    uint8_t node                    # push: the end of the line so far
    uint8_t before                  # push: the place before it on the line
    uint8_t landing                 # of the mover
    uint8_t waiting[STOPS][COLOURS]


cdef inline int passengers(const uint8_t* counts) noexcept nogil:
    """Sum of four counts."""
    return counts[0] + counts[1] + counts[2] + counts[3]


cdef inline bint any_of(const uint8_t* counts) noexcept nogil:
    return (counts[0] | counts[1] | counts[2] | counts[3]) != 0


cdef inline uint64_t bit(int place) noexcept nogil:
    return <uint64_t>1 << place


cdef inline int own_seats(const Data* d, const State* s, int player) noexcept nogil:
    """Seats of each colour in a tram."""
    return d.seats[s.bonuses[player] & HAS_SEATS]


cdef inline bint hidden_mover(const State* s) noexcept nogil:
    """In an Info: whether the player on turn is another than the observer, so that what he decides is seen only later, if at all."""
    return s.observer != 0 and s.observer - 1 != s.player


cdef inline int other_colour(int colour, int which) noexcept nogil:
    """The which-th (0..2) colour that is not this one."""
    return which + (which >= colour)
