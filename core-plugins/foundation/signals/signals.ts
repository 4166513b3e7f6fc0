import { type ServiceToken, service } from '../../../kernel/index.ts'

/**
 * Notifies other processes of this service at once that something has changed: over Redis if configured, and
 * over the database if it supports that. A signal may be lost or arrive twice, and carries no data: listeners
 * check the database, and also do so now and then without a signal.
 */
export interface Signals {
  /** Notifies all other processes. Never rejects: failures are logged. Call it after the commit. */
  send(topic: string): void
  /** Calls the listener when another process has sent the topic; returns a function that unsubscribes. */
  onSignal(topic: string, listener: () => void): () => void
  /** False if other processes cannot be notified, so that listeners have to check more often. */
  readonly isConnected: boolean
}

/** Notifies other processes of changes; a signal may get lost, so nothing may rely on it alone. */
export const signalsService: ServiceToken<Signals> = service('signals')
