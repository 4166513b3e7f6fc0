import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

const root = join(import.meta.dirname, '..')
const sourceFolders = [
  'entry-points',
  'kernel',
  'core-plugins',
  'plugins',
  'cli',
  'server',
  'bench',
  'examples',
  'client',
  'create-mortise',
  'testing',
  'test',
]
const forbiddenNames = ['utils', 'helpers', 'common', 'types', 'constants']

/** Files below a folder, relative to the project's root. */
function filesIn(folder: string): string[] {
  const path = join(root, folder)
  if (!existsSync(path)) return []
  return (
    readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name)))
      // Of a workspace.
      .filter((file) => !file.includes('node_modules/'))
  )
}

const stylesIn = (folder: string) => filesIn(folder).filter((file) => file.endsWith('.css'))

const scriptsIn = (folder: string) => filesIn(folder).filter((file) => /\.[mc]?[jt]sx?$/.test(file))

/** What a file imports: packages by name, files by their path from the project's root. */
function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const specifiers = [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])(.+?)\1/g)].map(
    ([, , name]) => name ?? '',
  )
  return specifiers.map((name) => (name.startsWith('.') ? join(dirname(file), name) : name))
}

const isPackage = (imported: string) => !imported.includes('.ts') && !imported.startsWith('.')

/** The folders of `core-plugins/`: each stands on those before it. */
const floors = [
  ...['foundation', 'background', 'accounts', 'entries'],
  ...['delivery', 'editing', 'administration', 'panel'],
]

/** `core-plugins/foundation/http` of `core-plugins/foundation/http/adapters/node-http.ts`. */
const corePluginOf = (file: string) => file.split('/').slice(0, 3).join('/')

const floorOf = (file: string) => floors.indexOf(file.split('/')[1] ?? '')

function isAllowedInCorePlugin(file: string, imported: string): boolean {
  if (isPackage(imported) || imported === 'kernel/index.ts') return true
  if (corePluginOf(imported) === corePluginOf(file)) return true
  return /^core-plugins\/[^/]+\/([^/]+)\/\1\.ts$/.test(imported)
}

const isOnFloorBelow = (file: string, imported: string) =>
  !imported.startsWith('core-plugins/') || floorOf(imported) <= floorOf(file)

/** `plugins/seo` of `plugins/seo/routes/check.ts`. */
const pluginOf = (file: string) => file.split('/').slice(0, 2).join('/')

const isAllowedInPlugin = (file: string, imported: string) =>
  isPackage(imported) || pluginOf(imported) === pluginOf(file)

/** What imports itself by way of others, such as `a → b → a`; `arrows` lead from each to what it imports. */
function circlesIn(arrows: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const found: string[] = []
  const done = new Set<string>()
  function walk(name: string, path: readonly string[]) {
    if (path.includes(name)) found.push([...path.slice(path.indexOf(name)), name].join(' → '))
    if (path.includes(name) || done.has(name)) return
    for (const next of arrows.get(name) ?? []) walk(next, [...path, name])
    done.add(name)
  }
  for (const name of arrows.keys()) walk(name, [])
  return found
}

/** What the rooms of these files import of each other. */
function arrowsBetween(
  files: readonly string[],
  roomOf: (file: string) => string,
): ReadonlyMap<string, ReadonlySet<string>> {
  const rooms = new Set(files.map(roomOf))
  const arrows = new Map<string, Set<string>>()
  for (const file of files) {
    const room = roomOf(file)
    const others = importsOf(file)
      .map(roomOf)
      .filter((other) => other !== room && rooms.has(other))
    arrows.set(room, new Set([...(arrows.get(room) ?? []), ...others]))
  }
  return arrows
}

const panelApp = 'core-plugins/panel/admin-panel/app/'
/** Declarations of what it offers plugins, which the package publishes. */
const panelApi = 'core-plugins/panel/admin-panel/panel-api/'

/** The folders of the panel's application; what is beside them puts it together. */
const panelFloors = ['ground', 'shell', 'content', 'parts']

function panelFloorOf(file: string): number {
  const floor = panelFloors.indexOf(file.slice(panelApp.length).split('/')[0] ?? '')
  return floor === -1 ? panelFloors.length : floor
}

const isOnPanelFloorBelow = (file: string, imported: string) =>
  !imported.startsWith(panelApp) || panelFloorOf(imported) <= panelFloorOf(file)

/** `…/app/ground/kit` of `…/app/ground/kit/button/button.tsx`. */
const panelRoomOf = (file: string) =>
  file
    .split('/')
    .slice(0, panelApp.split('/').length + 1)
    .join('/')

function isAllowedInPanelApp(_: string, imported: string): boolean {
  if (!/\.(tsx?|css|json)$/.test(imported)) return !imported.startsWith('node:')
  return [panelApp, panelApi, 'client/'].some((folder) => imported.startsWith(folder))
}

/** Those that run in the service. */
const corePluginFiles = () =>
  scriptsIn('core-plugins').filter(
    (file) => file.split('/').length > 3 && !file.startsWith(panelApp) && !file.startsWith(panelApi),
  )

function violations(files: string[], isAllowed: (file: string, imported: string) => boolean): string[] {
  return files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => !isAllowed(file, imported))
      .map((imported) => `${file} imports ${imported}`),
  )
}

describe('architecture', () => {
  it('the kernel imports node: modules and itself only', () => {
    const files = scriptsIn('kernel')
    assert.ok(files.length > 0)
    const isAllowed = (_: string, imported: string) => /^(node:|kernel\/)/.test(imported)
    assert.deepEqual(violations(files, isAllowed), [])
  })

  it('a core plugin imports the kernel, itself, packages and public faces of other core plugins only', () => {
    const files = corePluginFiles()
    assert.ok(files.length > 0)
    assert.deepEqual(violations(files, isAllowedInCorePlugin), [])
  })

  it('a core plugin stands on those of its own floor and of the floors below, and on none that stands on it', () => {
    const folders = readdirSync(join(root, 'core-plugins'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name)
    assert.deepEqual(folders.toSorted(), floors.toSorted())
    const files = corePluginFiles()
    assert.deepEqual(violations([...files, ...stylesIn('core-plugins')], isOnFloorBelow), [])
    assert.deepEqual(circlesIn(arrowsBetween(files, corePluginOf)), [])
  })

  it('what the panel shows stands on its own floor and those below, and on nothing that stands on it', () => {
    const files = [...scriptsIn(panelApp), ...stylesIn(panelApp)]
    assert.ok(files.length > 0)
    assert.deepEqual(violations(files, isOnPanelFloorBelow), [])
    assert.deepEqual(circlesIn(arrowsBetween(files, panelRoomOf)), [])
  })

  it('tells floors and circles', () => {
    const [http, auth] = ['core-plugins/foundation/http/http.ts', 'core-plugins/accounts/auth/auth.ts']
    assert.ok(isOnFloorBelow(auth, http))
    assert.ok(!isOnFloorBelow(http, auth))
    const arrows = new Map([
      ['a', new Set(['b'])],
      ['b', new Set(['c'])],
      ['c', new Set(['b'])],
    ])
    assert.deepEqual(circlesIn(arrows), ['b → c → b'])
  })

  it('what runs in browsers imports the client, itself and packages only, and only its tests import it', () => {
    const files = [...scriptsIn(panelApp), ...scriptsIn(panelApi)]
    assert.ok(files.length > 0)
    assert.deepEqual(violations(files, isAllowedInPanelApp), [])
    const others = sourceFolders
      .flatMap(scriptsIn)
      .filter((file) => !file.startsWith(panelApp) && !file.startsWith('test/admin-panel/'))
    assert.deepEqual(
      violations(others, (_, imported) => !imported.startsWith(panelApp)),
      [],
    )
  })

  it('any other plugin imports itself and packages only, as one from npm does', () => {
    const files = scriptsIn('plugins')
    assert.ok(files.length > 0)
    assert.deepEqual(violations(files, isAllowedInPlugin), [])
  })

  it('the client imports itself only, so that it can be copied', () => {
    const files = scriptsIn('client').filter((file) => !file.startsWith('client/dist/'))
    assert.ok(files.length > 0)
    assert.deepEqual(
      violations(files, (_, imported) => imported.startsWith('client/')),
      [],
    )
  })

  it('no file or folder is a drawer for odds and ends', () => {
    const drawers = sourceFolders
      .flatMap(filesIn)
      .filter((file) => file.split('/').some((part) => forbiddenNames.includes(part.split('.')[0] ?? '')))
    assert.deepEqual(drawers, [])
  })

  it('words a 403 in one place', () => {
    const others = scriptsIn('core-plugins')
      .filter((file) => file !== 'core-plugins/foundation/http/answers/app-error.ts')
      .filter((file) => /new AppError\(\s*'FORBIDDEN'/.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(others, [])
  })

  it('test files keep their hooks in a describe, since they share processes', () => {
    const files = scriptsIn('test').filter((file) => file.endsWith('.test.ts'))
    const atRoot = files.filter((file) =>
      /^(before|after|beforeEach|afterEach)\(/m.test(readFileSync(join(root, file), 'utf8')),
    )
    assert.deepEqual(atRoot, [])
  })

  it('composes signals in one place, which keeps them', () => {
    const folders = sourceFolders.filter((folder) => !['bench', 'test'].includes(folder))
    const others = [...folders, 'launch', 'build']
      .flatMap(scriptsIn)
      .filter((file) => file !== 'kernel/any-signal.ts')
      .filter((file) => /AbortSignal\s*\.\s*any\b/.test(readFileSync(join(root, file), 'utf8')))
    assert.deepEqual(others, [])
  })

  it('tells a reach into another plugin from what is allowed', () => {
    const file = 'core-plugins/accounts/auth/tokens.ts'
    const allowed = [
      'core-plugins/foundation/http/http.ts',
      'core-plugins/accounts/auth/roles/roles.ts',
      'pino',
      'node:fs',
    ]
    const refused = [
      'core-plugins/foundation/http/routes/router.ts',
      'kernel/run.ts',
      'server.ts',
      'core-plugins/catalogue.ts',
    ]
    assert.deepEqual(
      [...allowed, ...refused].filter((imported) => isAllowedInCorePlugin(file, imported)),
      allowed,
    )
  })
})
