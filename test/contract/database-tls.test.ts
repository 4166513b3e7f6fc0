import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { openingRemedy } from '../../core-plugins/foundation/database/connections/opening-remedy.ts'
import { DatabaseError } from '../../core-plugins/foundation/database/database.ts'
import { canStart, type EncryptedServer, startMysql, startPostgres } from '../support/database-servers.ts'
import { isWanted } from '../support/databases.ts'
import { openUrl } from '../support/open-test-database.ts'
import { skipWithout } from '../support/scope.ts'

const servers = [
  { name: 'postgres', start: startPostgres, database: 'postgres' },
  { name: 'mysql', start: startMysql, database: 'mysql' },
] as const

/** Accounts that must use TLS, on servers with certificates of an authority of their own. */
for (const { name, start, database } of servers.filter((server) => isWanted(server.name))) {
  describe(name, { skip: skipWithout(name, canStart[name]()) }, () => {
    let encrypted: EncryptedServer | undefined
    let plain: EncryptedServer | undefined

    before(async () => {
      ;[encrypted, plain] = await Promise.all([start({ isEncrypted: true }), start()])
    })

    after(async () => {
      await Promise.all([encrypted?.stop(), plain?.stop()])
    })

    /** Opens and closes it. @throws what opening throws */
    async function open(server: EncryptedServer | undefined, query: string, host = '127.0.0.1') {
      assert.ok(server, `there is no ${name}`)
      const url = new URL(server.url)
      url.hostname = host
      url.pathname = `/${database}`
      const driver = await openUrl(`${url.href}?${query.replace('=ca.pem', `=${server.ca}`)}`)
      await driver.close()
    }

    const refused = (remedy: RegExp) => (error: unknown) => {
      assert.ok(error instanceof DatabaseError)
      assert.match(openingRemedy(error), remedy)
      return true
    }

    const accepted = [
      'sslmode=require',
      'sslmode=prefer',
      'ssl-mode=REQUIRED',
      'sslmode=verify-ca&sslrootcert=ca.pem',
      'ssl-mode=VERIFY_CA&ssl-ca=ca.pem',
    ]
    for (const query of accepted) {
      it(`connects with ${query}`, () => open(encrypted, query))
    }

    it('connects with verify-full by the name of the certificate', async () => {
      await open(encrypted, 'sslmode=verify-full&sslrootcert=ca.pem', 'localhost')
      await open(encrypted, 'ssl=true&sslrootcert=ca.pem', 'localhost')
    })

    it('refuses another name, and an unknown authority, and says what to write', async () => {
      await assert.rejects(
        open(encrypted, 'sslmode=verify-full&sslrootcert=ca.pem'),
        refused(/sslrootcert|sslmode=verify-ca/),
      )
      await assert.rejects(open(encrypted, 'sslmode=verify-full', 'localhost'), refused(/sslmode=require/))
      await assert.rejects(open(encrypted, 'ssl=true', 'localhost'), refused(/sslmode=require/))
    })

    it('without encryption says to encrypt', async () => {
      await assert.rejects(open(encrypted, ''), refused(/add \?sslmode=require/))
      await assert.rejects(open(encrypted, 'sslmode=disable'), refused(/add \?sslmode=require/))
    })

    it('does without where the server cannot encrypt, if that is preferred only', async () => {
      await open(plain, 'sslmode=prefer')
      await open(plain, 'sslmode=disable')
    })
  })
}
