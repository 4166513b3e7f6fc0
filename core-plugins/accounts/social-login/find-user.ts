import type { PluginContext } from '../../../kernel/index.ts'
import type { Audit } from '../../background/audit/audit.ts'
import type { Config } from '../../foundation/config/config.ts'
import { type Database, DatabaseError, type Transaction } from '../../foundation/database/database.ts'
import { AppError } from '../../foundation/http/http.ts'
import type { ContentUser, ContentUserSignIn } from '../auth/auth.ts'
import type { Identities } from './identities.ts'
import { keepPassword, type Provider } from './settings.ts'
import { type Identity, identityLinked } from './social-login.ts'

export interface UserFinderOptions {
  readonly database: Database
  readonly config: Config
  readonly users: ContentUserSignIn
  readonly identities: Identities
  readonly audit: Audit | undefined
  readonly emit: PluginContext['emit']
}

/**
 * The id of the content user that belongs to a provider's account: the one already linked, else the one with
 * its verified address, else a new one.
 * @throws AppError 401 for a blocked account, 403 without a verified address or if registration is closed
 */
export type FindUser = (provider: Provider, identity: Identity, ip: string) => Promise<number>

/** How often another request may win the race for the same account or username. */
const mostAttempts = 4

/** Makes the finder. */
export function createUserFinder(options: UserFinderOptions): FindUser {
  const { database, config, users, identities, audit, emit } = options

  async function join(user: ContentUser, tx: Transaction): Promise<void> {
    // Registration does not verify the address: the password may have been set by another person who expected the owner to
    // come.
    const isKnownOwner = config.get(keepPassword) || (await identities.hasAny(user.id, tx))
    if (!isKnownOwner) await users.removePassword(user.id, tx)
  }

  function link({ name: provider, label }: Provider, identity: Identity, ip: string): Promise<number> {
    const { subject, verifiedEmail: email, name } = identity
    return database.transaction(async (tx) => {
      const linked = await identities.userOf(provider, subject, tx)
      if (linked !== undefined) return linked
      if (email === undefined) throw withoutEmail(label)
      const present = await users.findByEmail(email, tx)
      if (present !== undefined) await join(present, tx)
      const suggested = name ?? email.slice(0, email.indexOf('@'))
      const user = present ?? (await users.create({ email, name: suggested }, tx))
      await identities.link(provider, subject, user.id, tx)
      const isNewUser = present === undefined
      await audit?.record(linkRecord(user, provider, isNewUser, ip), tx)
      tx.afterCommit(() => emit(identityLinked, { userId: user.id, provider, isNewUser }))
      return user.id
    })
  }

  return async (provider, identity, ip) => {
    const linked = await identities.userOf(provider.name, identity.subject)
    if (linked !== undefined) return linked
    for (let attempt = 1; ; attempt++) {
      try {
        return await link(provider, identity, ip)
      } catch (error) {
        const isTaken = error instanceof DatabaseError && error.kind === 'unique'
        if (!isTaken || attempt === mostAttempts) throw error
      }
    }
  }
}

function linkRecord({ id, username }: ContentUser, provider: string, isNewUser: boolean, ip: string) {
  return {
    action: isNewUser ? 'content_user.create' : 'auth.link',
    principal: { kind: 'user', id, username, role: '' } as const,
    resource: `content_user:${id}`,
    details: { provider },
    ip,
  }
}

function withoutEmail(label: string): AppError {
  const message = `${label} tells no verified e-mail address of yours; verify one there, and allow it to be shared`
  return AppError.forbidden(message)
}
