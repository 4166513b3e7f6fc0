/*
 * Indexes of the places where entries name something, such as files or other entries. A plugin says which places these are and has
 * the table; what keeps it right is the same for all: a stage of every write, and a job that makes it from all entries.
 */

export { createUsageIndex, type UsageIndex, type UsageIndexParts } from './create-index.ts'
export { shortenField } from './shorten-field.ts'
export type { NamedIn, UsageKind, Vanished } from './usage-kind.ts'
