// Package session keeps a table of people who play together: who sits there, what was rolled, and dice that nobody can
// choose.
//
// # Records
//
// All that happens is a record, a line of JSON in a log. A record holds its number, the digest of the line before it, who
// made it, when, and one body: it joins, rolls, takes back. State.Apply is the only judge of records. It is a pure function
// of the state and the record, so a record that a client asks for and one that is read from a file meet the same rules: a
// log that could not have been played cannot be opened.
//
//	record ── Apply ──> state          no clock, no files, no random numbers
//	Log: lines, fsync, a torn end      Table: one log, its state, those who watch
//	Hub: tables by their id            Handler: HTTP
//
// A record is answered once it lies on the disk. After a crash the log ends with the last answered record or with one
// that nobody was told of; half a line at its end is cut off, and a record says so.
//
// # Rights
//
// A table has three codes: for its master, for players and for spectators. The log has only their digests, which are
// compared in constant time. The codes of players and spectators are derived from that of the master, who can thus show
// them again. Whoever joins with the code of players gets a key of their own. Nothing lists tables, and a table that is not
// there answers as one whose code is wrong.
//
// # What some may not see
//
// Every line has the digest of the one before it, so nobody can change, drop or insert one later. A line that a viewer may
// not see, such as a hidden roll, stands in their transcript as its digest alone: the chain can still be checked. When
// the master shows the roll, the line itself must have that digest. Each hidden line has a salt, or it could be guessed.
//
// # Dice that nobody can choose
//
// Ada wants to roll, with Bela and Cleo at the table, and nobody trusts anybody, nor the server:
//
//  1. open     the question, who takes part, and the seal of the server: the digest of a nonce that it has drawn
//  2. commit   Ada, Bela and Cleo each draw a nonce and give its digest, in any order
//  3. reveal   after all have committed, each gives the nonce
//  4. reveal   of the server, after all others
//  5. roll     with the seed that is the digest of all nonces
//
// Whoever commits knows no nonce of the others, so one honest nonce makes the seed random. The commitment has the digest of
// the opening line and the name of its owner in it: it fits no other question, and copied by another it cannot be revealed.
// The server reveals last. So a player who keeps a nonce back after seeing those of the others does not know what fell.
// Whoever does not come in time is shown to all, and any other may go on without them. What remains: a player and the
// server who conspire can stop a roll that they do not like, once for each player, and everybody sees who did. See M.
// Blum, "Coin flipping by telephone" (1981), and R. Cleve (STOC 1986) on why stopping cannot be ruled out.
//
// # Decisions and plays
//
// Where a rule asks for decisions once its dice have fallen, a record holds the dice (Fell) before anybody decides, and the
// roll that follows must have them: whoever does not like them cannot roll anew unseen. A roll that is refused after its
// dice stays in the log as well. Dice that fall after a decision are drawn from another seed, which only the server knows
// until then. Those of a round go on from the seed of the round instead, so that the server does not choose them: who
// decides there can compute them, as all others can. Whoever verifies the log lets each record's dice fall again.
//
// A procedure that all play (Play) is a record for each step, with the receipt of all steps so far; taking the last one
// back leads to the step before, or to the play in whose place another one was begun. The server draws the faces of an
// event from a seed that stays the same until this event happens.
//
// Rolls are receipts (package receipt). "rules verify LOG" checks a log or a transcript and carries out every roll again;
// .ci/session.py checks the chain, the commitments and the seeds by itself.
package session
