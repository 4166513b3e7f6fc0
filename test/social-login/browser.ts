import assert from 'node:assert/strict'
import { type Answer, createClient } from '../support/client.ts'
import type { Shape } from './provider.ts'

/** A browser with cookies of its own, as far as signing in needs one. */
export interface Browser {
  readonly cookies: Map<string, string>
  /** Begins to sign in; answers the page of the provider. */
  start(shape: Shape, query?: string): Promise<URL>
  /** Lets the provider send it back; answers the callback with its query. */
  visit(page: URL): Promise<URL>
  /** Opens a page of the service. */
  open(url: URL): Promise<Answer>
  /** All of it. */
  signIn(shape: Shape, query?: string): Promise<Answer>
}

/** A new browser, for the service at `url`. */
export function openBrowser(url: string): Browser {
  const cookies = new Map<string, string>()

  async function get(path: string): Promise<Answer> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await createClient(url).get(path, cookie === '' ? {} : { headers: { cookie } })
    for (const line of answer.headers.getSetCookie()) keep(line, cookies)
    return answer
  }

  const browser: Browser = {
    cookies,
    async start(shape, query = '') {
      const answer = await get(`/api/auth/${shape}${query}`)
      assert.equal(answer.status, 302, JSON.stringify(answer.body))
      return new URL(answer.headers.get('location') ?? '')
    },
    async visit(page) {
      const answer = await fetch(page, { redirect: 'manual' })
      assert.equal(answer.status, 302, await answer.text())
      return new URL(answer.headers.get('location') ?? '')
    },
    open: ({ pathname, search }) => get(pathname + search),
    async signIn(shape, query) {
      return browser.open(await browser.visit(await browser.start(shape, query)))
    },
  }
  return browser
}

function keep(line: string, cookies: Map<string, string>): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
  if (/Max-Age=0\b/i.test(line)) cookies.delete(name)
  else cookies.set(name, value)
}
