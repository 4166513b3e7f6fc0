import { type ServiceToken, service } from '../../kernel/index.ts'

/**
 * Tells other processes of this service at once that something has changed: over Redis where there is one, and by the
 * database where it can do that. A signal may get lost or come twice, and says nothing itself: whoever hears it looks at
 * the database, and looks there now and then without any signal, too.
 */
export interface Signals {
  /** Tells all other processes. Never rejects: what fails is logged. Call it after the commit. */
  send(topic: string): void
  /** Calls back when another process has sent the topic; the answer ends that. */
  onSignal(topic: string, listener: () => void): () => void
  /** False where other processes cannot be told, so that those who listen have to look more often. */
  readonly isConnected: boolean
}

export const signalsService: ServiceToken<Signals> = service('signals')
