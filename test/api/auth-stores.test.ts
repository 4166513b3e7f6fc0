import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it, mock } from 'node:test'
import { sql } from 'drizzle-orm'
import {
  type Account,
  type Accounts,
  createAccounts,
} from '../../core-plugins/accounts/auth/accounts/accounts.ts'
import type { PasswordReset } from '../../core-plugins/accounts/auth/auth.ts'
import { createPasswordTokens } from '../../core-plugins/accounts/auth/passwords/password-tokens.ts'
import { type AccessState, createAccessState } from '../../core-plugins/accounts/auth/roles/access-state.ts'
import { createRevokedTokens } from '../../core-plugins/accounts/auth/sessions/revoked-tokens.ts'
import type { SessionClaims } from '../../core-plugins/accounts/auth/sessions/session-tokens.ts'
import {
  adminUserColumns,
  adminUsersTable,
  authTables,
  passwordResetsTable,
} from '../../core-plugins/accounts/auth/tables.ts'
import type { Transaction } from '../../core-plugins/foundation/database/database.ts'
import type { Driver } from '../../core-plugins/foundation/database/driver.ts'
import { eachDatabase } from '../support/databases.ts'
import { openTestDatabase } from '../support/open-test-database.ts'
import { slow } from '../support/scope.ts'
import { until } from '../support/until.ts'

const usersTable = { ...adminUsersTable.spec, name: 'svc_users' }

eachDatabase((engine) => {
  let driver: Driver
  let close: () => Promise<void>
  before(async () => {
    ;({ driver, close } = await openTestDatabase(engine, [usersTable, ...authTables]))
  })
  after(() => close())

  describe('what processes remember of access', () => {
    let here: AccessState
    let there: AccessState
    let told: string[]
    let startedAtMs: number

    beforeEach(async () => {
      told = []
      here = createAccessState(driver)
      there = createAccessState(driver)
      for (const topic of ['sessions', 'roles'] as const) {
        here.onChange(topic, () => told.push(`here: ${topic}`))
        there.onChange(topic, () => told.push(`there: ${topic}`))
      }
      startedAtMs = performance.now()
      const clock = mock.method(performance, 'now', () => startedAtMs)
      await Promise.all([here.start(), there.start()])
      clock.mock.restore()
      told = []
    })

    /** Asks there whether memory is fresh, so long after it was read for the first time. */
    function freshenAt(ms: number): Promise<void> | undefined {
      const clock = mock.method(performance, 'now', () => startedAtMs + ms)
      try {
        return there.freshen()
      } finally {
        clock.mock.restore()
      }
    }

    it('is told where a change is made when that resolves, and elsewhere at the next check', async () => {
      const { generation } = here
      assert.equal(await here.change('roles', async () => 'done'), 'done')
      assert.deepEqual(told, ['here: roles'])
      assert.ok(here.generation > generation)
      const before = there.generation
      await freshenAt(2_000)
      assert.deepEqual(told, ['here: roles', 'there: roles'])
      assert.ok(there.generation > before)
      await freshenAt(4_000)
      assert.deepEqual(told, ['here: roles', 'there: roles'])
    })

    it(
      'counts while it is young, is checked meanwhile when it is older, and then does not count',
      slow,
      async () => {
        await here.change('sessions', async () => undefined)
        assert.equal(freshenAt(300), undefined)
        for (let turns = 0; turns < 20; turns++) await new Promise(setImmediate)
        assert.deepEqual(told, ['here: sessions'])
        assert.equal(freshenAt(700), undefined)
        await until(() => told.includes('there: sessions'), 'the check in the background')
        const checks = [freshenAt(5_000), freshenAt(5_000)]
        assert.ok(checks[0] instanceof Promise)
        assert.equal(checks[0], checks[1], 'one check is enough')
        await checks[0]
        assert.deepEqual(told, ['here: sessions', 'there: sessions'])
      },
    )

    it('is told of a change within a transaction after the commit, and never without one', async () => {
      await driver.transaction(async (tx) => {
        await here.changeWithin('sessions', tx)
        assert.deepEqual(told, [])
      })
      await until(() => told.length > 0)
      assert.deepEqual(told, ['here: sessions'])
      const undone = driver.transaction(async (tx) => {
        await here.changeWithin('sessions', tx)
        throw new Error('rolled back')
      })
      await assert.rejects(undone, /rolled back/)
      await assert.rejects(
        here.change('roles', async () => {
          throw new Error('rolled back')
        }),
      )
      assert.deepEqual(told, ['here: sessions'])
    })
  })

  describe('revoked tokens', () => {
    const nowMs = Date.now()
    const claims = (jti: string, exp = Math.floor(nowMs / 1000) + 3600) => ({ jti, exp }) as SessionClaims
    const createStore = async () => {
      const state = createAccessState(driver)
      await state.start()
      return createRevokedTokens(driver, state)
    }

    it('end at once, or soon, but never later than was said before', async () => {
      const store = await createStore()
      assert.equal(await store.revokedFromMs('a'), undefined)
      await store.revokeSoon(claims('a'), 30_000)
      const first = await store.revokedFromMs('a')
      assert.ok(first !== undefined && first > Date.now() + 20_000 && first <= Date.now() + 30_000)
      await store.revokeSoon(claims('a'), 60_000)
      assert.equal(await store.revokedFromMs('a'), first)
      await store.revoke(claims('a'))
      const last = await store.revokedFromMs('a')
      assert.ok(last !== undefined && last <= Date.now())
      await store.revokeSoon(claims('a'), 30_000)
      assert.equal(await store.revokedFromMs('a'), last)
      assert.equal(await store.revokedFromMs('b'), undefined)
    })

    it('end whoever else ends them at the same moment', async () => {
      const store = await createStore()
      await Promise.all([1, 2, 3].map(() => store.revokeSoon(claims('c'), 30_000)))
      await Promise.all(Array.from({ length: 8 }, () => store.revoke(claims('c'))))
      assert.ok(((await store.revokedFromMs('c')) ?? Number.NaN) <= Date.now())
    })

    it('are forgotten when they have expired by themselves', async () => {
      const store = await createStore()
      await store.revoke(claims('old', Math.floor(nowMs / 1000) - 10))
      await store.revoke(claims('new'))
      await store.removeExpired()
      assert.equal(await store.revokedFromMs('old'), undefined)
      assert.ok((await store.revokedFromMs('new')) !== undefined)
    })
  })

  describe('looks of usernames', () => {
    const insertInto = (accounts: Accounts, username: string) =>
      accounts.insert({
        ...{ email: `${username}@example.com`, username, passwordHash: 'x', role: 'authenticated' },
        mustChangePassword: false,
      })

    it('are given to accounts that were stored without, those that look alike included', slow, async () => {
      const accounts = createAccounts(driver, usersTable.name, adminUserColumns)
      const first = await insertInto(accounts, 'looks Ann')
      await driver.transaction((tx) => accounts.looks.forget(tx))
      const second = await insertInto(accounts, 'looks ANN')
      await driver.transaction((tx) => accounts.looks.forget(tx))
      assert.equal(await accounts.looks.isTaken('looks ann', driver), false)

      await accounts.looks.complete()
      assert.equal(await accounts.looks.isTaken('looks ann', driver), true)
      await assert.rejects(insertInto(accounts, 'looks aNN'), { kind: 'unique', columns: ['username'] })
      // Both stay usable: what does not change what they look like is written.
      for (const account of [first, second]) {
        await driver.transaction((tx) => accounts.update({ ...account, blocked: true }, tx))
      }
      for (const { id } of [first, second]) await driver.transaction((tx) => accounts.remove(id, tx))
      assert.equal(await accounts.looks.isTaken('looks ann', driver), false)
    })
  })

  describe('password reset tokens', () => {
    let accounts: Accounts
    let count = 0
    before(() => {
      accounts = createAccounts(driver, usersTable.name, adminUserColumns)
    })

    const newAccount = (more: Partial<Account> = {}) => {
      const username = `u${count++}`
      const email = `${username}@example.com`
      const columns = { email, username, passwordHash: 'x', role: 'authenticated', mustChangePassword: false }
      return accounts.insert({ ...columns, ...more })
    }
    const invalid = { code: 'VALIDATION_ERROR' }
    const resets = (key = 'a secret') =>
      createPasswordTokens(driver, {
        ...{ accounts, key },
        table: passwordResetsTable,
        lifetimeMs: 3_600_000,
        isForPasswordless: true,
      })
    const quietly = async () => undefined
    const stored = async () =>
      (
        await driver.all(
          driver.prepare<{ token_hash: string }>(sql`select token_hash from svc_password_resets`),
        )
      ).map(({ token_hash }) => token_hash)

    it('are delivered as they are made, and stored as hashes that are worth nothing without the key', async () => {
      const account = await newAccount()
      const delivered: (PasswordReset & { tx: Transaction })[] = []
      const issued = await resets().issue(account.email.toUpperCase(), async (tx, reset) => {
        delivered.push({ tx, ...reset })
      })
      assert.ok(issued)
      const { tx, expiresAt, ...reset } = delivered[0] ?? ({} as (typeof delivered)[0])
      assert.equal(typeof tx.run, 'function')
      const { id: userId, email, username } = account
      assert.deepEqual(reset, { userId, email, username, token: issued.token })
      const leftMs = Date.parse(expiresAt) - Date.now()
      assert.ok(leftMs > 3_500_000 && leftMs <= 3_600_000, String(leftMs))
      assert.equal(issued.account.id, userId)
      assert.equal((await resets().accountOf(issued.token))?.id, userId)
      assert.equal(await resets('another secret').accountOf(issued.token), undefined)
      const hashes = await stored()
      assert.ok(!hashes.includes(issued.token))
      for (const hash of hashes) assert.equal(await resets().accountOf(hash), undefined)
    })

    it('are none where nothing could be delivered, or nobody may have one', async () => {
      const before = await stored()
      const account = await newAccount()
      const failing = resets().issue(account.email, async () => {
        throw new Error('no mail today')
      })
      await assert.rejects(failing, /no mail today/)
      const blocked = await newAccount({ blocked: true })
      assert.equal(await resets().issue(blocked.email, quietly), undefined)
      assert.equal(await resets().issue('nobody@example.com', quietly), undefined)
      assert.deepEqual((await stored()).sort(), before.sort())
    })

    it('are all used up with the first', async () => {
      const [account, other] = [await newAccount(), await newAccount()]
      const tokens: string[] = []
      for (const { email } of [account, account, other]) {
        tokens.push((await resets().issue(email, quietly))?.token ?? '')
      }
      const [first = '', second = '', foreign = ''] = tokens
      const consume = () => driver.transaction((tx) => resets().consume(first, account, tx))
      await consume()
      await assert.rejects(consume(), invalid)
      for (const token of [first, second]) assert.equal(await resets().accountOf(token), undefined)
      assert.equal((await resets().accountOf(foreign))?.id, other.id)
    })

    it('end with whatever ends the sessions of the account', async () => {
      for (const change of [{ tokenVersion: 2 }, { blocked: true }]) {
        const account = await newAccount()
        const { token = '' } = (await resets().issue(account.email, quietly)) ?? {}
        await driver.transaction((tx) => accounts.update({ ...account, ...change }, tx))
        assert.equal(await resets().accountOf(token), undefined)
      }
    })

    it('are forgotten when they are too old', async () => {
      const [old, young] = [await newAccount(), await newAccount()]
      const tokens = []
      for (const { email } of [old, young]) tokens.push((await resets().issue(email, quietly))?.token ?? '')
      const past = driver.dialect.bind(new Date(Date.now() - 1000).toISOString(), 'datetime')
      const age = sql`update svc_password_resets set expires_at = ${driver.dialect.placeholder('past', 'datetime')}
        where user_id = ${old.id}`
      await driver.run(driver.prepare(age), { past })
      assert.equal(await resets().accountOf(tokens[0] ?? ''), undefined)
      const before = (await stored()).length
      await resets().removeExpired()
      assert.equal((await stored()).length, before - 1)
      assert.equal((await resets().accountOf(tokens[1] ?? ''))?.id, young.id)
    })
  })
})
