import assert from 'node:assert/strict'
import { startService, type TestService } from '../../support/service.ts'
import type { Act } from './act.ts'
import { type Change, changed, describeVersion } from './changes.ts'
import { misplaced } from './compare.ts'
import { asGraphql, selection } from './graphql.ts'
import { ask, assertWaiting, hasOverlay, type Running, waitsOf } from './running.ts'
import { type Item, misshapen, tokensIn, valueFor } from './values.ts'
import { type Attribute, firstVersion, isHolder, schemaFiles, type Version } from './version.ts'

const note = '/api/content/note'

interface KnownEntry {
  isPublic: boolean
  isTrashed: boolean
}

/** All that administrators are shown. */
interface Shown {
  readonly live: ReadonlyMap<number, Item>
  /** With pending drafts. */
  readonly drafts: ReadonlyMap<number, Item>
  readonly trash: ReadonlyMap<number, Item>
}

const nothing: Shown = { live: new Map(), drafts: new Map(), trash: new Map() }

/**
 * A project whose schema changes from start to start, on one database, with what has been written and shown so far. Each
 * step checks what it changes; whatever is wrong is an error with the steps that led to it.
 */
export class History {
  readonly #url: string
  readonly #steps: string[] = []
  readonly #entries = new Map<number, KnownEntry>()
  /** All that was written, by entry and attribute; revisions and drafts may show it. */
  readonly #written = new Map<string, Set<string>>()
  /** What was shown of entries since the last decision, which hidden values may be. */
  readonly #seen = new Map<string, Set<string>>()
  readonly #authors: number[] = []
  readonly #trashedAuthors = new Set<number>()
  #numbers = 0
  #now: Running | undefined
  #earlier: Running | undefined
  #shown: Shown = nothing

  constructor(url: string) {
    this.#url = url
  }

  async stop(): Promise<void> {
    await this.#earlier?.service.stop()
    await this.#now?.service.stop()
    this.#earlier = undefined
    this.#now = undefined
  }

  /** Starts the next version, in place of the running one or beside it. */
  async start(changes: readonly Change[], isBeside: boolean): Promise<void> {
    const before = this.#now
    const version = before === undefined ? firstVersion : changed(before.version, changes)
    await this.#step(`start${isBeside ? ' beside' : ''}: ${describeVersion(version)}`, async () => {
      await this.#earlier?.service.stop()
      this.#earlier = undefined
      if (before !== undefined && !isBeside) await before.service.stop()
      if (isBeside) this.#earlier = before
      const service = await startService({ database: { url: this.#url }, schemas: schemaFiles(version) })
      this.#now = { service, version, waits: await waitsOf(service) }
      if (before === undefined) await this.#prepare(service)
      else await this.#compare(before)
    })
  }

  async act(act: Act): Promise<void> {
    const running = (act.byEarlier ? this.#earlier : undefined) ?? this.#running()
    await this.#step(
      `${running === this.#earlier ? 'earlier: ' : ''}${act.act} ${act.entry} ${act.field}`,
      async () => {
        await this.#carryOut(act, running)
      },
    )
  }

  /** What was read can be sent back, and changes nothing; by the process of the earlier version, too. */
  async sendBack(): Promise<void> {
    await this.#step('send back', async () => {
      for (const [id] of this.#shown.live) await this.#echo(id, this.#running())
      if (this.#earlier === undefined) return
      for (const [id] of this.#shown.live) await this.#echo(id, this.#earlier)
      const before = this.#shown
      await this.#look()
      this.#assertUnchanged(before, this.#earlier)
    })
  }

  async #step(words: string, work: () => Promise<void>): Promise<void> {
    this.#steps.push(words)
    try {
      await work()
    } catch (error) {
      const steps = this.#steps.map((step, index) => `${index + 1}. ${step}`).join('\n')
      throw new Error(`${error instanceof Error ? error.message : error}\n${steps}`, { cause: error })
    }
  }

  #note(words: string): void {
    this.#steps.push(`   ${words}`)
  }

  #running(): Running {
    assert.ok(this.#now)
    return this.#now
  }

  async #prepare({ admin }: TestService): Promise<void> {
    const roles: { id: number; name: string }[] = (await admin.get('/api/admin/roles')).body.data
    const id = roles.find(({ name }) => name === 'public')?.id
    const permissions = { content: { note: { read: true }, author: { read: true } } }
    await ask(admin, 'PUT', `/api/admin/roles/${id}`, { permissions }, [200])
    for (const name of ['Ada', 'Bob', 'Cy']) {
      this.#authors.push((await ask(admin, 'POST', '/api/content/author', { name }, [201])).body.data.id)
    }
  }

  /** Looks at everything after a start, and compares it with what was shown before. */
  async #compare(before: Running): Promise<void> {
    const earlier = this.#shown
    const { version } = this.#running()
    await this.#look()
    const wasSeen = (id: number) => (place: string, token: string) => this.#wasSeen(id, place, token)
    for (const [name, views] of [
      ['live', [earlier.live, this.#shown.live]],
      ['trash', [earlier.trash, this.#shown.trash]],
    ] as const) {
      for (const [id, data] of views[1]) {
        const old = views[0].get(id) ?? {}
        const problem = misplaced(
          { version: before.version, attributes: before.version.note, data: old },
          { version, attributes: version.note, data },
          wasSeen(id),
        )
        assert.equal(problem, undefined, `${name} ${id}: ${problem}`)
      }
    }
    for (const [id, data] of this.#shown.drafts) {
      const old = earlier.drafts.get(id)
      const problem = misplaced(
        {
          version: before.version,
          attributes: old === undefined ? {} : before.version.note,
          data: old ?? {},
        },
        { version, attributes: version.note, data },
        (place, token) => this.#wasWritten(id, place, token),
      )
      assert.equal(problem, undefined, `draft ${id}: ${problem}`)
    }
    this.#remember()
  }

  /** Reads everything, as an administrator and as the public, and checks the form of it. */
  async #look(): Promise<void> {
    const { service, version, waits } = this.#running()
    const list = async (query: string) => {
      const { body } = await ask(service.admin, 'GET', `${note}?limit=100&sort=id${query}`, undefined, [200])
      return new Map<number, Item>(body.data.map((entry: Item) => [entry.id, entry]))
    }
    const hasTrash = version.options.softDelete || waits.trash
    this.#shown = {
      live: await list(''),
      drafts: hasOverlay(this.#running()) ? await list('&draft=true') : new Map(),
      trash: hasTrash ? await list('&deleted=true') : new Map(),
    }
    this.#checkForm()
    this.#checkEntries()
    await this.#checkSingleReads()
    await this.#checkPublic()
    await this.#checkGraphql()
  }

  #checkForm(): void {
    const { version } = this.#running()
    for (const [name, view] of Object.entries(this.#shown)) {
      for (const [id, data] of view as ReadonlyMap<number, Item>) {
        const problem = misshapen(version, version.note, withoutSystem(data))
        assert.equal(problem, undefined, `${name} ${id} ${problem}`)
        for (const [place, token] of tokensIn(version, version.note, data)) {
          assert.ok(
            this.#wasWritten(id, place, token),
            `${name} ${id}: ${token} was never written under ${place}`,
          )
        }
      }
    }
  }

  #checkEntries(): void {
    const idsOfAll = (isTrashed: boolean) =>
      [...this.#entries].filter(([, entry]) => entry.isTrashed === isTrashed).map(([id]) => id)
    assert.deepEqual([...this.#shown.live.keys()], idsOfAll(false), 'entries in the list')
    const { version, waits } = this.#running()
    const trash = version.options.softDelete || waits.trash ? idsOfAll(true) : []
    assert.deepEqual([...this.#shown.trash.keys()], trash, 'entries in the trash')
  }

  async #checkSingleReads(): Promise<void> {
    const { service } = this.#running()
    for (const [id, { isTrashed }] of this.#entries) {
      const { body } = await ask(service.admin, 'GET', `${note}/${id}`, undefined, [isTrashed ? 404 : 200])
      if (!isTrashed) assert.deepEqual(body.data, this.#shown.live.get(id), 'entry and list')
    }
  }

  async #checkPublic(): Promise<void> {
    const { service } = this.#running()
    const { body } = await ask(service, 'GET', `${note}?limit=100&sort=id`, undefined, [200])
    const expected = [...this.#entries]
      .filter(([, { isPublic, isTrashed }]) => isPublic && !isTrashed)
      .map(([id]) => id)
    assert.deepEqual(
      body.data.map(({ id }: Item) => id),
      expected,
      'entries that are public',
    )
    for (const entry of body.data) {
      assert.deepEqual(
        withoutSystem(entry),
        withoutSystem(this.#shown.live.get(entry.id) ?? {}),
        'public entry',
      )
    }
  }

  async #checkGraphql(): Promise<void> {
    const { service, version } = this.#running()
    const query = `{ notes(limit: 100, sort: "id") { data { id ${selection(version, version.note)} } } }`
    const { body } = await ask(service.admin, 'POST', '/api/graphql', { query }, [200])
    assert.equal(body.errors, undefined, JSON.stringify(body.errors))
    const expected = [...this.#shown.live.values()].map((entry) => ({
      id: entry.id,
      ...asGraphql(version, version.note, entry),
    }))
    assert.deepEqual(body.data.notes.data, expected, 'GraphQL and REST')
  }

  async #lookAgain(): Promise<void> {
    await this.#look()
    this.#remember()
  }

  #wasWritten(id: number, place: string, token: string): boolean {
    return this.#written.get(`${id} ${place}`)?.has(token) === true
  }

  #wasSeen(id: number, place: string, token: string): boolean {
    return this.#seen.get(`${id} ${place}`)?.has(token) === true
  }

  #write(id: number, { version }: Running, data: Item): void {
    for (const [place, token] of tokensIn(version, version.note, data))
      add(this.#written, `${id} ${place}`, token)
  }

  /** What entries show can be hidden and shown again. */
  #remember(): void {
    const { version } = this.#running()
    for (const view of [this.#shown.live, this.#shown.trash]) {
      for (const [id, data] of view) {
        for (const [place, token] of tokensIn(version, version.note, data))
          add(this.#seen, `${id} ${place}`, token)
      }
    }
  }

  async #echo(id: number, running: Running): Promise<void> {
    const { service, version } = running
    const query = hasOverlay(running) ? '?draft=true' : ''
    const isNow = running === this.#now
    const before = await this.#ask(running, 'GET', `${note}/${id}${query}`, undefined, [
      200,
      ...(isNow ? [] : [404]),
    ])
    if (before?.status !== 200) return
    const sent = await this.#ask(
      running,
      'PUT',
      `${note}/${id}`,
      before.body.data,
      isNow ? [200] : [200, 400, 403, 409],
    )
    if (!isNow || sent === undefined) return
    const after = await ask(service.admin, 'GET', `${note}/${id}${query}`, undefined, [200])
    assert.deepEqual(
      attributesOf(version, after.body.data),
      attributesOf(version, before.body.data),
      'sent back',
    )
  }

  /** As far as both versions have the same attributes. */
  #assertUnchanged(before: Shown, { version: earlier }: Running): void {
    const { version } = this.#running()
    const same = Object.entries(version.note).filter(([, attribute]) => !isHolder(attribute.kind))
    const isKept = (lineage: string, kind: string) =>
      Object.values(earlier.note).every((each) => each.lineage !== lineage || each.kind === kind)
    for (const [id, data] of this.#shown.live) {
      for (const [name, { lineage, kind }] of same) {
        if (isKept(lineage, kind))
          assert.deepEqual(data[name], before.live.get(id)?.[name], `${id} ${name} sent back`)
      }
    }
  }

  /** Undefined from a process of an earlier version that serves no more. */
  async #ask(running: Running, method: string, path: string, body: unknown, expected: readonly number[]) {
    if (running === this.#now) return ask(running.service.admin, method, path, body, expected)
    const answer = await running.service.admin.request(method, path, { body })
    const { reason } = answer.body?.error ?? {}
    if (answer.status === 503 && ['outdated_process', 'schema_changing'].includes(reason)) return undefined
    assert.ok(
      expected.includes(answer.status),
      `${method} ${path} ${answer.status} ${JSON.stringify(answer.body)}`,
    )
    return answer
  }

  async #carryOut(act: Act, running: Running): Promise<void> {
    switch (act.act) {
      case 'create':
        return this.#create(act, running)
      case 'author':
        return this.#toggleAuthor(act, running)
      case 'decide':
        return this.#decide(act)
      case 'restore':
        return this.#restore(act)
      default: {
        const visible = [...this.#entries].filter(([, { isTrashed }]) => !isTrashed)
        const [id, entry] = visible[act.entry % visible.length] ?? []
        if (id === undefined || entry === undefined) return
        if (act.act === 'write' || act.act === 'empty') return this.#change(id, act, running)
        return this.#move(id, entry, act)
      }
    }
  }

  async #create({ field }: Act, running: Running): Promise<void> {
    // Another process may not have the entry's options.
    if (running !== this.#now) return
    const { version } = running
    const data = Object.fromEntries(
      Object.entries(version.note)
        .filter((_, index) => field === 0 || (field + index) % 4 !== 0)
        .map(([name, attribute]) => [name, this.#value(version, attribute)]),
    )
    this.#note(JSON.stringify(data))
    const { status, body } = await ask(running.service.admin, 'POST', note, data, [201, 400])
    if (status === 400) return assertWaiting(body)
    this.#entries.set(body.data.id, { isPublic: body.data.published_at !== null, isTrashed: false })
    this.#write(body.data.id, running, data)
    await this.#lookAgain()
    assert.deepEqual(
      pick(this.#shown.live.get(body.data.id) ?? {}, Object.keys(data)),
      data,
      'what was created',
    )
  }

  #value(version: Version, attribute: Attribute): unknown {
    const authors = this.#authors.filter((id) => !this.#trashedAuthors.has(id))
    return valueFor(version, attribute, authors, () => ++this.#numbers)
  }

  async #change(id: number, { act, field }: Act, running: Running): Promise<void> {
    const { version } = running
    const names = Object.keys(version.note)
    const name = names[field % names.length] ?? ''
    const attribute = version.note[name]
    if (attribute === undefined) return
    const isList = ['toMany', 'cards', 'zone', 'cardZone'].includes(attribute.kind)
    const value = act === 'write' ? this.#value(version, attribute) : isList ? [] : null
    this.#note(`${id}.${name} = ${JSON.stringify(value)}`)
    const before = this.#shown
    const isNow = running === this.#now
    const sent = await this.#ask(running, 'PUT', `${note}/${id}`, { [name]: value }, [
      200,
      400,
      ...(isNow ? [] : [403, 404, 409]),
    ])
    if (sent === undefined || sent.status !== 200)
      return isNow && sent !== undefined ? assertWaiting(sent.body) : undefined
    this.#write(id, running, { [name]: value })
    await this.#lookAgain()
    const hasDraft = before.drafts.get(id)?.has_draft === true
    const isBeside = hasOverlay(running) && (hasDraft || this.#entries.get(id)?.isPublic === true)
    for (const [other, view, earlier] of [
      ...[...this.#shown.live].map(([each, data]) => [each, data, before.live.get(each)] as const),
      ...[...this.#shown.drafts].map(([each, data]) => [each, data, before.drafts.get(each)] as const),
    ]) {
      const isDraft = this.#shown.drafts.get(other) === view
      for (const [each, { lineage, kind }] of Object.entries(this.#running().version.note)) {
        const isWritten: boolean = other === id && lineage === attribute.lineage
        if (isWritten && (kind !== attribute.kind || !isNow)) continue
        const expected: unknown = isWritten && isBeside === isDraft ? value : earlier?.[each]
        if (isWritten && isDraft && !isBeside) continue
        assert.deepEqual(view[each], expected, `${isDraft ? 'draft' : 'live'} ${other}.${each}`)
      }
    }
  }

  async #move(id: number, entry: KnownEntry, { act, field }: Act): Promise<void> {
    const running = this.#running()
    const { version, waits, service } = running
    this.#note(`${act} ${id}`)
    // One that is restored to a type without drafts is public.
    if (act === 'delete' && !entry.isPublic) return
    if (act === 'delete') {
      await ask(service.admin, 'DELETE', `${note}/${id}`, undefined, [200])
      if (version.options.softDelete || waits.trash) entry.isTrashed = true
      else this.#entries.delete(id)
    }
    if (act === 'publish' || act === 'unpublish') {
      const hasDrafts = version.options.publication !== 'none' || waits.drafts
      const expected = hasDrafts ? [200, ...(hasOverlay(running) ? [400, 409] : [])] : [400]
      const { status } = await ask(service.admin, 'PUT', `${note}/${id}/${act}`, undefined, expected)
      if (status === 200) entry.isPublic = act === 'publish'
    }
    if (act === 'revert') {
      const { body } = await ask(service.admin, 'GET', `${note}/${id}/revisions`, undefined, [200])
      for (const { data } of body.data) {
        for (const [place, token] of tokensIn(version, version.note, data)) {
          assert.ok(
            this.#wasWritten(id, place, token),
            `revision of ${id}: ${token} was never written under ${place}`,
          )
        }
      }
      const { id: revision } = body.data[field % body.data.length]
      await ask(
        service.admin,
        'POST',
        `${note}/${id}/revisions/${revision}/restore`,
        undefined,
        [200, 400, 409],
      )
    }
    await this.#lookAgain()
  }

  async #restore({ entry }: Act): Promise<void> {
    const { version, waits, service } = this.#running()
    const trashed = [...this.#entries].filter(([, { isTrashed }]) => isTrashed)
    const [id, known] = trashed[entry % trashed.length] ?? []
    if (id === undefined || known === undefined || !(version.options.softDelete || waits.trash)) return
    this.#note(`restore ${id}`)
    await ask(service.admin, 'POST', `${note}/${id}/restore`, undefined, [200])
    known.isTrashed = false
    await this.#lookAgain()
  }

  async #decide({ entry, field }: Act): Promise<void> {
    const { service, waits, version } = this.#running()
    const sync = (body: object) => {
      this.#note(JSON.stringify(body))
      return ask(service.admin, 'POST', '/api/database/safe-sync', body, [200])
    }
    if (waits.trash && entry % 3 === 0) {
      await sync({ trash: { note: field % 2 === 0 ? 'restore' : 'delete' } })
      for (const [id, known] of this.#entries) {
        if (!known.isTrashed) continue
        if (field % 2 === 0) known.isTrashed = false
        else this.#entries.delete(id)
      }
    } else if (waits.drafts && entry % 3 === 1) {
      await sync({ drafts: { note: field % 2 === 0 ? 'publish' : 'delete' } })
      for (const [id, known] of this.#entries) {
        if (known.isPublic || known.isTrashed) continue
        if (field % 2 === 0) known.isPublic = true
        else if (version.options.softDelete || waits.trash) known.isTrashed = true
        else this.#entries.delete(id)
      }
    } else {
      const { body } = await sync({ allowDestructive: true })
      const waiting = body.data.pending.filter(
        ({ change }: Item) => change !== 'end-drafts' && change !== 'end-trash',
      )
      assert.deepEqual(waiting, [], 'what waits after a decision')
      const before = this.#shown
      await this.#look()
      for (const [id, data] of this.#shown.live) {
        const names = Object.keys(version.note).filter(
          (name) => !isHolder(version.note[name]?.kind ?? 'json'),
        )
        assert.deepEqual(pick(data, names), pick(before.live.get(id) ?? {}, names), 'shown after a decision')
      }
      this.#seen.clear()
    }
    await this.#lookAgain()
  }

  async #toggleAuthor({ entry }: Act, running: Running): Promise<void> {
    const id = this.#authors[entry % this.#authors.length] ?? 0
    const isTrashed = this.#trashedAuthors.has(id)
    if (!isTrashed && this.#trashedAuthors.size === this.#authors.length - 1) return
    const path = `/api/content/author/${id}`
    this.#note(`${isTrashed ? 'restore' : 'delete'} author ${id}`)
    const answer = await (isTrashed
      ? this.#ask(running, 'POST', `${path}/restore`, undefined, [200])
      : this.#ask(running, 'DELETE', path, undefined, [200]))
    if (answer === undefined) return
    if (isTrashed) this.#trashedAuthors.delete(id)
    else this.#trashedAuthors.add(id)
    await this.#lookAgain()
  }
}

const systemNames = [
  'id',
  'uuid',
  'created_at',
  'updated_at',
  'published_at',
  'deleted_at',
  'locale',
  'has_draft',
]

const withoutSystem = (entry: Item): Item =>
  Object.fromEntries(Object.entries(entry).filter(([name]) => !systemNames.includes(name)))

const pick = (entry: Item, names: readonly string[]): Item =>
  Object.fromEntries(names.map((name) => [name, entry[name]]))

const attributesOf = ({ note: attributes }: Version, entry: Item) => pick(entry, Object.keys(attributes))

function add(sets: Map<string, Set<string>>, key: string, token: string): void {
  const set = sets.get(key) ?? new Set()
  sets.set(key, set.add(token))
}
