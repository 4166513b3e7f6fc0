import assert from 'node:assert/strict'
import { sql } from 'drizzle-orm'
import type { Client } from '../support/client.ts'
import { type CrashWorld, crashTest, type Running, type Scenario } from './crash-test.ts'
import type { LoadClient, Work } from './load.ts'

const localized = { pluginOptions: { i18n: { localized: true } } }
const schemas = {
  'page.json': {
    kind: 'collectionType',
    info: { singularName: 'page', pluralName: 'pages', displayName: 'Page' },
    options: { i18n: { enabled: true, locales: ['en', 'de', 'fr', 'it', 'nl'] } },
    attributes: {
      title: { type: 'string', ...localized },
      serial: { type: 'integer' },
      mark: { type: 'string' },
      related: { type: 'relation', relation: 'manyToMany', target: 'page' },
    },
  },
}
const source = 'en'
const translations = ['de', 'fr', 'it', 'nl']
const clients = 4

/** One version of a page as it is stored. */
interface Stored {
  readonly id: number
  readonly locale: string
  readonly group: string
  readonly status: string | null
  readonly title: string
  readonly serial: number
  readonly mark: string
  /** How many pages it is related to. */
  readonly links: number
  /** The locale of its document in the search index. */
  readonly indexed: string
}

/** A write: all versions are to have the serial, the one in `locale` a title that tells it, too. */
interface Save {
  readonly locale: string
  readonly serial: number
}

/** The page of one client: what was acknowledged of it, and what was asked for without an answer. */
class PageState {
  readonly ids = new Map<string, number>()
  readonly #titles = new Map<string, number>()
  #serial = 0
  #hasSourceChanged = false
  #asked: Save | undefined

  known(locale: string, id: number, serial: number): void {
    this.ids.set(locale, id)
    this.#titles.set(locale, serial)
    this.#serial = Math.max(this.#serial, serial)
  }

  get serial(): number {
    return this.#serial
  }

  ask(save: Save): void {
    this.#asked = save
  }

  acknowledge(): void {
    const save = this.#asked
    if (save === undefined) return
    this.#asked = undefined
    this.#serial = save.serial
    this.#titles.set(save.locale, save.serial)
    if (save.locale === source) this.#hasSourceChanged = true
  }

  /** @throws AssertionError where the rows are neither as acknowledged nor as asked for, whole */
  settle(rows: readonly Stored[]): void {
    if (rows.some(({ serial }) => serial === this.#asked?.serial)) this.acknowledge()
    this.#asked = undefined
    assert.equal(new Set(rows.map(({ group }) => group)).size, 1, 'versions are of one group')
    for (const { id, locale, serial, mark, links, title, status, indexed } of rows) {
      assert.equal(this.ids.get(locale), id)
      const titled = `${locale} ${this.#titles.get(locale)}`
      const expected = { serial: this.#serial, mark: `mark ${this.#serial}`, links: this.#serial % 3 }
      assert.deepEqual({ serial, mark, links, title }, { ...expected, title: titled })
      assert.equal(indexed, locale, 'each version is in the search index')
      if (this.#hasSourceChanged && locale !== source) assert.equal(status, 'outdated')
    }
    assert.deepEqual(new Set(rows.map(({ locale }) => locale)), new Set(this.ids.keys()))
  }
}

async function createScenario(world: CrashWorld, { client: first }: Running): Promise<Scenario> {
  const targets = [await post(first, '', { title: 'x' }), await post(first, '', { title: 'x' })]
  const states = new Map<number, PageState>()

  const dataOf = ({ locale, serial }: Save) => ({
    ...{ serial, mark: `mark ${serial}`, title: `${locale} ${serial}` },
    related: targets.slice(0, serial % 3),
  })

  async function newPage(client: Client): Promise<PageState> {
    const state = new PageState()
    const id = await post(client, '', dataOf({ locale: source, serial: 0 }))
    state.known(source, id, 0)
    for (const locale of translations) {
      state.known(locale, await post(client, `/${id}/localizations`, { locale, title: `${locale} 0` }), 0)
    }
    return state
  }

  const work: Work = async (load: LoadClient) => {
    const state = states.get(load.index)
    assert.ok(state)
    // Of a client that has lost its process.
    await settle(state)
    while (!load.isOver()) {
      const save = { locale: load.random.pick([source, ...translations]), serial: state.serial + 1 }
      state.ask(save)
      const { status, body } = await load.client.put(
        `/api/content/page/${state.ids.get(save.locale)}`,
        dataOf(save),
      )
      assert.equal(status, 200, JSON.stringify(body))
      state.acknowledge()
      load.acknowledge()
    }
  }

  /** Waits for a write that is still under way: it holds the rows. */
  const settle = (state: PageState) =>
    world.look(async (database) => state.settle(await rowsOf(database, state)))

  for (let index = 0; index < clients; index++) states.set(index, await newPage(first))

  return {
    clients,
    work,
    async check() {
      for (const state of states.values()) await settle(state)
    },
  }
}

async function post(client: Client, path: string, data: object): Promise<number> {
  const { status, body } = await client.post(`/api/content/page${path}`, data)
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

type Driver = Parameters<Parameters<CrashWorld['look']>[0]>[0]

/** Locked for a moment, so that no transaction of a killed process is open any more. */
async function rowsOf(database: Driver, state: PageState): Promise<Stored[]> {
  const name = (text: string) => sql.identifier(text)
  const ids = sql.raw([...state.ids.values()].join())
  await database.transaction(async (tx) => {
    await tx.all(
      database.prepare(sql`select id from content_page where id in (${ids}) ${database.dialect.forUpdate}`),
    )
  })
  return database.all(
    database.prepare<Stored>(
      sql`select id, locale, ${name('_i18n_group')} as ${name('group')}, ${name('_i18n_status')} as ${name('status')},
        title, serial, mark,
        (select count(*) from link_page_related l where l.source_id = content_page.id) as links,
        (select d.locale from svc_search_documents d where d.type = 'page' and d.entry_id = content_page.id)
          as indexed
        from content_page where id in (${ids})`,
      { id: 'id', serial: 'integer', links: 'integer' },
    ),
  )
}

crashTest('localising', { kills: 9, project: { schemas }, create: createScenario })
