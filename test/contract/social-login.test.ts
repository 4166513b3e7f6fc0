import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'
import { expectStatus, newNames, newUser } from '../api/auth-callers.ts'
import { openBrowser } from '../social-login/browser.ts'
import {
  type ProviderAccount,
  type Shape,
  startProvider,
  type TestProvider,
} from '../social-login/provider.ts'
import type { Answer } from '../support/client.ts'
import { eachDatabase, type TestDatabase } from '../support/databases.ts'
import { slow } from '../support/scope.ts'
import { startService, type TestService } from '../support/service.ts'

eachDatabase((database) => {
  describe('social login in two processes', () => {
    let provider: TestProvider
    let here: TestService
    let there: TestService
    let shared: TestDatabase
    let dataDir: string
    let subject = 0

    before(async () => {
      provider = await startProvider()
      shared = await database.createUrl()
      // Both are one service, whatever port a browser comes back to.
      dataDir = mkdtempSync(join(tmpdir(), 'mortise-social-'))
      const origin = { SVC_SECURITY_SOCIAL_LOGIN_CALLBACK_ORIGIN: 'http://service.example' }
      const env = { ...provider.env, ...origin, SVC_DATA_DIR: dataDir }
      const start = () => startService({ database: { url: shared.url }, env })
      ;[here, there] = await Promise.all([start(), start()])
    })
    after(async () => {
      await Promise.all([here.stop(), there.stop()])
      await provider.stop()
      await shared.drop()
      rmSync(dataDir, { recursive: true, force: true })
    })
    beforeEach(() => {
      provider.account = newAccount()
    })

    function newAccount(more: Partial<ProviderAccount> = {}): ProviderAccount {
      subject += 1
      return { id: String(subject), email: newNames().email, isVerified: true, name: 'Ada', ...more }
    }

    /** Signs in at the same time in both processes, each account in browsers of its own. */
    async function signInTogether(
      accounts: readonly (readonly [Shape, ProviderAccount])[],
    ): Promise<Answer[]> {
      const prepared = []
      for (const [index, [shape, account]] of accounts.entries()) {
        provider.account = account
        const browser = openBrowser((index % 2 === 0 ? here : there).url)
        prepared.push({ browser, callback: await browser.visit(await browser.start(shape)) })
      }
      return Promise.all(prepared.map(({ browser, callback }) => browser.open(callback)))
    }

    const userIds = (answers: readonly Answer[]) =>
      answers.map((answer) => expectStatus(answer, 200).body.data.user.id as number)

    it('makes one user of one account, however often it comes at once', async () => {
      const account = newAccount()
      const ids = userIds(await signInTogether(Array.from({ length: 8 }, () => ['google', account])))
      assert.equal(new Set(ids).size, 1)
      const { body } = await here.admin.get(`/api/admin/content-users?search=${account.email}`)
      assert.equal(body.data.length, 1)
    })

    it('makes one user of one address, whichever provider knows it', async () => {
      const { email } = newNames()
      const shapes = ['google', 'github', 'facebook', 'vk'] as const
      const ids = userIds(await signInTogether(shapes.map((shape) => [shape, newAccount({ email })])))
      assert.equal(new Set(ids).size, 1)
    })

    it('makes users of the same name differ', async () => {
      const name = `Grace ${database.name}`
      const answers = await signInTogether(Array.from({ length: 6 }, () => ['google', newAccount({ name })]))
      assert.equal(new Set(userIds(answers)).size, 6)
      const names = answers.map(({ body }) => body.data.user.username)
      assert.equal(new Set(names).size, 6)
      assert.ok(names.includes(name))
    })

    it('joins an account once, and takes its password once', async () => {
      const user = await newUser(here)
      const accounts = Array.from({ length: 4 }, () => ['google', newAccount({ email: user.email })] as const)
      const answers = await signInTogether(accounts)
      assert.deepEqual(new Set(userIds(answers)), new Set([user.id]))
      expectStatus(
        await there.post('/api/auth/login', { identifier: user.email, password: user.password }),
        401,
      )
    })

    it('tells subjects and providers apart to the letter', async () => {
      const cases = ['Abc', 'abc', 'ábc', 'abc ']
      const accounts = cases.map((id) => ['google', newAccount({ id })] as const)
      const ids = userIds(await signInTogether([...accounts, ['vk', newAccount({ id: 'abc' })]]))
      assert.equal(new Set(ids).size, 5)
    })

    it('takes an answer once in all processes', async () => {
      const browser = openBrowser(here.url)
      const callback = await browser.visit(await browser.start('google'))
      const twin = openBrowser(there.url)
      for (const [name, value] of browser.cookies) twin.cookies.set(name, value)
      const answers = await Promise.all([browser.open(callback), twin.open(callback)])
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    })

    it('knows accounts again after a restore', slow, async () => {
      const { email } = provider.account
      const [id] = userIds([await openBrowser(here.url).signIn('google')])
      const made = await here.admin.post('/api/admin/backups', { name: 'with links', async: false })
      const backup = expectStatus(made, 201).body.data
      expectStatus(await here.admin.delete(`/api/admin/content-users/${id}`), 200)
      const restore = { sections: { content: true } }
      expectStatus(await here.admin.post(`/api/admin/backups/${backup.id}/restore`, restore), 200)
      provider.account = { ...provider.account, email: newNames().email }
      const answer = expectStatus(await openBrowser(there.url).signIn('google'), 200)
      assert.deepEqual([answer.body.data.user.id, answer.body.data.user.email], [id, email])
    })
  })
})
