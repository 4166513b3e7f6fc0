import type { Alerts } from '../../background/alerts/alerts.ts'

const kind = 'cdn_purge_late'
const lateAfterMs = 60_000

/** Alerts administrators if a CDN continues to serve outdated content. */
export class LateAlert {
  readonly #alerts: Alerts | undefined
  /** Whether there may be an open alert, also from an earlier process. */
  #mayBeOpen = true

  constructor(alerts: Alerts | undefined) {
    this.#alerts = alerts
  }

  /** Called when a purge of changes since a time (ISO 8601) has failed and will be retried. */
  async failed(since: string, error: unknown): Promise<void> {
    if (Date.now() - Date.parse(since) < lateAfterMs) return
    this.#mayBeOpen = true
    await this.#alerts?.raise({
      kind,
      severity: 'critical',
      message:
        'the CDN has not been told for a minute what has changed, so it goes on sending old answers: ' +
        (error instanceof Error ? error.message : 'the purge failed'),
      details: { since },
    })
  }

  async succeeded(): Promise<void> {
    if (!this.#mayBeOpen) return
    this.#mayBeOpen = false
    await this.#alerts?.resolve(kind)
  }
}
