/**
 * Why an answer is 503: the `reason` that every such error carries, in all interfaces, in metrics and in the client.
 * docs/operations.md says for each what to do.
 */
export const unavailableReasons = [
  'overload',
  'queue_full',
  'wait_too_long',
  'query_too_slow',
  'database_away',
  'database_busy',
  'database_read_only',
  'outdated_process',
  'schema_changing',
  'storage_away',
  'too_many_streams',
  'file_too_slow',
  'file_changed',
  'plugin_too_slow',
  'backup_failed',
  'not_ready',
  'starting',
  'stopping',
  'unspecified',
] as const

/** Why a request is answered with 503, for programs: `storage_away`. */
export type UnavailableReason = (typeof unavailableReasons)[number]

/** Plugins without types, and services of other versions, may send unknown reasons. */
export function asUnavailableReason(told: unknown): UnavailableReason {
  return unavailableReasons.find((reason) => reason === told) ?? 'unspecified'
}
