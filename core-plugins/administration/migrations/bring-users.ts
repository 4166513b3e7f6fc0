import type { ContentUserSignIn } from '../../accounts/auth/auth.ts'
import type { Database } from '../../foundation/database/database.ts'
import type { Brought } from './bring-media.ts'
import type { Migrated } from './migrated.ts'
import type { MigrationSource } from './source.ts'

export interface UserBringerDeps {
  readonly database: Database
  readonly contentUsers: ContentUserSignIn
  readonly migrated: Migrated
}

/** Creates the users, without passwords. An existing account with the same e-mail address stands for the user. */
export async function bringUsers(
  source: MigrationSource,
  { database, contentUsers, migrated }: UserBringerDeps,
): Promise<Brought> {
  let [here, created] = [0, 0]
  for (const { uuid, email, username, isBlocked } of source.users()) {
    await database.transaction(async (tx) => {
      const known = (await migrated.find([uuid], tx)).get(uuid)
      const { id } = await contentUsers.adopt({ email, username, blocked: isBlocked }, tx)
      if (known !== id) await migrated.note('user', uuid, id, tx)
      created += known === id ? 0 : 1
      here += 1
    })
  }
  return { here, created }
}
