import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { sql } from 'drizzle-orm'
import { backupTables } from '../../core-plugins/administration/backups/backups.ts'
import {
  type EntryColumn,
  entryColumns,
  entryLocks,
  entryParameters,
  entrySearches,
  type ParameterRequest,
  type Restriction,
  referenceChecks,
} from '../../core-plugins/entries/content/content.ts'
import type { TableSpec } from '../../core-plugins/foundation/database/database.ts'
import { policies, readinessChecks } from '../../core-plugins/foundation/http/http.ts'
import { metricSources } from '../../core-plugins/foundation/metrics/metrics.ts'
import { type ContentType, contentTables } from '../../core-plugins/foundation/schemas/schemas.ts'
import { adapterOf } from '../../core-plugins/panel/extensions/adapt-contributions.ts'
import type { ExtensionPoint } from '../../kernel/index.ts'
import { load, type } from '../schemas/schema-directory.ts'

const reports: string[] = []
const report = Object.assign(
  (where: string, error: unknown) => void reports.push(`${where}: ${(error as Error).message}`),
  { plugin: 'big-shop' },
)
const adapt = adapterOf({
  plugin: 'big-shop',
  space: 'big-shop',
  report,
  reportOfBrowsers: report,
})

/** Adapts what breaks the contract on purpose. */
const adaptAny = <T>(point: ExtensionPoint<T>, value: unknown) => adapt(point, value as T)

async function postType(): Promise<ContentType> {
  const { types } = await load({ 'post.json': type('post', { bigShopNote: { type: 'string' } }) })
  const post = types.get('post')
  assert.ok(post)
  return post
}

describe('what third-party plugins add to content', () => {
  it('has names of their own', () => {
    const read = () => []
    const check = () => undefined
    const refused: [ExtensionPoint<never>, unknown, RegExp][] = [
      [
        metricSources as ExtensionPoint<never>,
        { name: 'mortise_jobs', help: '', scope: 'service', read },
        /must be named mortise_x_big_shop_<what>_<unit>/,
      ],
      [
        metricSources as ExtensionPoint<never>,
        { name: 'mortise_x_big_shop_Orders', help: '', scope: 'service', read },
        /must be named/,
      ],
      [
        readinessChecks as ExtensionPoint<never>,
        { name: 'database', check },
        /the readiness check database must be named big-shop\.<what>/,
      ],
      [
        readinessChecks as ExtensionPoint<never>,
        { name: 'big-shopping.stock', check },
        /the readiness check big-shopping\.stock must be named big-shop\.<what>/,
      ],
      [
        backupTables as ExtensionPoint<never>,
        { table: 'svc_admin_users', section: 'content' },
        /must be one of the plugin's own: x_big_shop_<plural>/,
      ],
      [
        entryParameters as ExtensionPoint<never>,
        { parameters: { region: {} }, matches: () => true, restrict: check },
        /the query parameter region must be named big_shop or big_shop_<what>/,
      ],
      [
        entryParameters as ExtensionPoint<never>,
        { parameters: { bigShopping: {} }, matches: () => true, restrict: check },
        /the query parameter bigShopping must be named big_shop or big_shop_<what>/,
      ],
      [
        policies as ExtensionPoint<never>,
        { name: 'big-shopping.isOpen', check },
        /the policy big-shopping\.isOpen must be named big-shop\.<check>/,
      ],
      [
        entryParameters as ExtensionPoint<never>,
        { parameters: { 'big_shop[x]': {} }, matches: () => true, restrict: check },
        /must be named/,
      ],
      [entryParameters as ExtensionPoint<never>, { matches: () => true }, /parameters must be an object/],
      [entrySearches as ExtensionPoint<never>, { matches: () => true }, /restrict must be a function/],
      [entryLocks as ExtensionPoint<never>, { lock: check }, /matches must be a function/],
      [referenceChecks as ExtensionPoint<never>, { target: 'media' }, /check must be a function/],
    ]
    for (const [point, value, reason] of refused) assert.throws(() => adaptAny(point, value), reason)
    const metric = { name: 'mortise_x_big_shop_orders', help: '', scope: 'service' as const, read }
    assert.equal(adapt(metricSources, metric), metric)
    const parameters = { bigShopRegion: {}, big_shop: {} }
    const own = adapt(entryParameters, { parameters, matches: () => true, restrict: check })
    assert.deepEqual(own.parameters, parameters)
  })

  it('adds columns to tables, and takes nothing away', async () => {
    const post = await postType()
    const table: TableSpec = {
      name: 'content_post',
      columns: [
        { name: 'id', kind: 'id' },
        { name: 'author_id', kind: 'reference', nullable: true },
      ],
      references: [{ column: 'author_id', table: 'content_author', onDelete: 'set null' }],
    }
    const added = { name: '_big_shop_rank', kind: 'integer', nullable: true } as const
    const amend = (amended: unknown) =>
      adapt(contentTables, () => amended as TableSpec)(post, table) as TableSpec
    const sound = {
      ...table,
      columns: [...table.columns, added],
      indexes: [{ columns: ['_big_shop_rank'], type: 'index' }],
    }
    assert.equal(amend(sound), sound)
    const refused: [unknown, RegExp][] = [
      [undefined, /it is no table/],
      [Promise.resolve(table), /it is no table/],
      [{ ...table, columns: [{ name: 'id', kind: 'id' }] }, /author_id is not the plugin's to change/],
      [
        { ...table, columns: table.columns.map((each) => ({ ...each, nullable: false })) },
        /author_id is not the plugin's to change/,
      ],
      [{ ...table, name: 'svc_users' }, /only columns, indexes and references can be added/],
      [{ ...table, references: [] }, /the reference of author_id is not the plugin's to change/],
      [
        {
          ...table,
          references: [
            ...(table.references ?? []),
            { column: 'author_id', table: 'svc_users', onDelete: 'cascade' },
          ],
        },
        /author_id is not the plugin's to make a reference/,
      ],
      [
        { ...table, columns: [...table.columns, { ...added, name: 'rank' }] },
        /the column rank must be named _big_shop_<what>/,
      ],
      [
        { ...table, columns: [...table.columns, { name: '_big_shop_rank', kind: 'integer' }] },
        /_big_shop_rank must be nullable or have a default/,
      ],
    ]
    for (const [amended, reason] of refused) assert.throws(() => amend(amended), reason)
  })

  it('shows columns in fields of their own', async () => {
    const post = await postType()
    const shown: EntryColumn = {
      column: '_big_shop_rank',
      kind: 'integer',
      field: 'bigShopRank',
      isShown: true,
    }
    const show = (columns: unknown) => adaptAny(entryColumns, () => columns)(post)
    assert.deepEqual(show([shown]), [shown])
    const refused: [unknown, RegExp][] = [
      [undefined, /the columns that it adds to post must be a list/],
      [[undefined], /the column undefined must be named/],
      [[{ ...shown, column: 'author_id' }], /the column author_id must be named _big_shop_<what>/],
      [[{ ...shown, field: 'rank' }], /the field rank must be named big_shop_<what>/],
      [[{ ...shown, field: 'big_shop"--' }], /must be named big_shop_<what>/],
      [
        [{ ...shown, field: 'big_shop_note' }],
        /the field big_shop_note is the attribute bigShopNote of post already/,
      ],
      [[{ ...shown, isShown: undefined }], /isShown of the column _big_shop_rank must be true or false/],
    ]
    for (const [columns, reason] of refused) assert.throws(() => show(columns), reason)
  })

  it('restricts reads by SQL whose values are bound, told apart from that of others', async () => {
    const post = await postType()
    const values = [{ kind: 'string' as const, value: 'x' }]
    const sound: Restriction = {
      shape: 'in',
      values,
      where: (entry) => sql`${entry.column('a')} = ${entry.value(0)}`,
    }
    const entry = {
      column: (name: string) => sql`${sql.identifier(name)}`,
      value: () => sql`?`,
      exists: () => sql`1 = 1`,
    }
    const restrict = (answer: unknown, problems: ParameterRequest['problems'] = []) =>
      adapt(entryParameters, {
        parameters: { big_shop: {} },
        matches: () => true,
        restrict: (request) => {
          if (typeof answer === 'function') return answer(request)
          return answer as Restriction
        },
      }).restrict({ type: post, place: 'list', values: {}, problems })
    const adapted = restrict(sound)
    assert.equal(adapted?.shape, 'big-shop "in"')
    assert.ok(adapted?.where(entry))
    assert.equal(restrict(undefined), undefined)
    const refused: [unknown, RegExp][] = [
      [null, /the shape of a restriction must be a string/],
      [{ ...sound, shape: undefined }, /the shape of a restriction/],
      [{ ...sound, values: ['x'] }, /must be a list of `\{ kind, value \}`/],
      [{ ...sound, where: 'true' }, /where of a restriction must be a function/],
      [{ ...sound, sharing: 7 }, /sharing of a restriction/],
      [Promise.resolve(sound), /the shape of a restriction/],
      [(request: { problems: unknown[] }) => void request.problems.push('bad'), /problems must be a list/],
    ]
    reports.length = 0
    for (const [answer, reason] of refused) assert.throws(() => restrict(answer), reason)
    assert.equal(reports.length, refused.length)
    assert.throws(
      () => restrict({ ...sound, where: () => "1 = 1; drop table x'" })?.where(entry),
      /where of a restriction must return what sql/,
    )
    assert.throws(() => restrict({ ...sound, values: [] })?.where(entry), /a restriction has no value 0/)
    const problems: ParameterRequest['problems'] = []
    const problem = { path: 'big_shop', code: 'type', message: 'must be true' }
    restrict((request: ParameterRequest) => void request.problems.push(problem), problems)
    assert.deepEqual(problems, [problem])
  })

  it('checks references with problems that can be shown', async () => {
    const check = (answer: unknown) =>
      adaptAny(referenceChecks, { target: 'media', check: () => answer }).check([], {} as never)
    assert.deepEqual(await check([]), [])
    await assert.rejects(async () => check([{ path: 1 }]), /problems must be a list/)
    await assert.rejects(async () => check(undefined), /problems must be a list/)
  })
})
