/**
 * How much is read of a body that nobody wants any more, because its request is answered already: most clients, and
 * proxies that do not buffer, send all of it before they read an answer, and if the connection were closed with the
 * rest unread, they would see a broken connection in place of it. Whoever sends more is cut off.
 */
export const maxDiscardedBytes = 128 * 1024 * 1024

/** How long it is read for, in milliseconds. */
export const discardTimeoutMs = 10_000

/** How long nothing may come of it, in milliseconds; uWebSockets ends a silent connection after 8 seconds at the earliest. */
export const discardSilenceMs = 3_000
