/**
 * How much of a body is read and dropped after its request has been answered. Most clients, and proxies that do not
 * buffer, send all of it before they read an answer; if the connection were closed with the rest unread, they would
 * see a broken connection instead. Clients that send more are cut off.
 */
export const maxDiscardedBytes = 128 * 1024 * 1024

/** How long it is read for, in milliseconds. */
export const discardTimeoutMs = 10_000

/**
 * How long the client may be silent meanwhile, in milliseconds; uWebSockets ends a silent connection after 8 seconds
 * at the earliest.
 */
export const discardSilenceMs = 3_000
