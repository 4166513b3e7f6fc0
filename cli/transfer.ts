import { rm } from 'node:fs/promises'
import {
  assertDecided,
  type Comparison,
  comparedSections,
  comparisonBetween,
  type Decision,
  firstStep,
  itemNamed,
  type OnMissing,
  openRemoteSide,
  planTransfer,
  type Selection,
  sendFiles,
  type Transfer,
  type TransferPlan,
  type TransferSide,
  transferService,
  writePackage,
} from '../core-plugins/administration/transfer/transfer.ts'
import { AppError } from '../core-plugins/foundation/http/http.ts'
import { type ItemName, nameOf } from '../core-plugins/foundation/sections/sections.ts'
import { CommandError, type OptionsOf } from '../core-plugins/panel/extensions/extensions.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { confirm, type Terminal } from './confirm.ts'
import { startServices } from './partial-service.ts'
import { askSecret } from './read-password.ts'
import { countsText, differencesText, resultText, stepText } from './transfer-text.ts'

const urlArgument = { url: { summary: 'the address of the other environment: https://staging.example.com' } }

const selectingOptions = {
  only: {
    type: 'string',
    summary:
      'only these: schemas, content, media, roles, webhooks, settings; default: all that both sides show',
  },
  types: { type: 'string', summary: 'only the content of these types: article,author' },
  entries: { type: 'string', summary: 'only these entries: article:<uuid>,author:<uuid>' },
  without: {
    type: 'string',
    summary: 'leaves where it is what is kept beside entries: workflow, translation, unpublishing',
  },
  release: { type: 'integer', summary: 'only the entries in a release, by its number at the source' },
  allowHttp: { type: 'boolean', summary: 'sends the token without encryption, inside of a trusted network' },
} as const

const decidingOptions = {
  delete: { type: 'boolean', summary: 'removes what the source does not have' },
  onConflict: { type: 'string', summary: 'for what both sides have changed: source, target or skip' },
  resolve: { type: 'string', summary: 'the same by item: article:<uuid>=source,…' },
  missing: {
    type: 'string',
    summary: 'for what is referred to and missing there: refuse (default), include or drop',
  },
  yes: { type: 'boolean', summary: 'does not ask' },
} as const

export const transferDiffCommand = defineCoreCommand({
  name: 'transfer diff',
  summary: 'shows how another environment differs from this one; changes nothing',
  example: 'transfer diff https://staging.example.com --types article',
  arguments: urlArgument,
  options: {
    ...selectingOptions,
    pull: { type: 'boolean', summary: 'as a pull would see it, from there to here' },
  },
  hasJson: true,
  run: ({ project, arguments: { url }, options, terminal, signal }) =>
    withTransfer(project, async (transfer) => {
      const remote = await remoteSide(project, { url, options, terminal, signal })
      const comparison = await comparisonOf({ own: transfer.side, remote }, options.pull === true, options)
      const compared = await comparedSections(comparison, await selectionOf(options, comparison.source))
      return { text: await differencesText(comparison, compared), json: compared }
    }),
})

export const transferPushCommand = defineCoreCommand({
  name: 'transfer push',
  summary: 'brings another environment to what this one has, after showing the difference and asking',
  example: 'transfer push https://www.example.com --release 7',
  arguments: urlArgument,
  options: { ...selectingOptions, ...decidingOptions },
  hasJson: true,
  run: (context) => transfer(context, 'push'),
})

export const transferPullCommand = defineCoreCommand({
  name: 'transfer pull',
  summary: 'brings this environment to what another one has, after showing the difference and asking',
  example: 'transfer pull https://www.example.com --types article',
  arguments: urlArgument,
  options: { ...selectingOptions, ...decidingOptions },
  hasJson: true,
  run: (context) => transfer(context, 'pull'),
})

export const transferRenewCommand = defineCoreCommand({
  name: 'transfer renew',
  summary: 'gives this environment an id of its own, because its database is a copy of that of another one',
  example: 'transfer renew',
  run: ({ project }) =>
    withTransfer(project, async (own) => `This environment is ${await own.renewId()} from now on`),
})

type Options = Partial<OptionsOf<typeof selectingOptions> & OptionsOf<typeof decidingOptions>>

interface Invocation {
  readonly project: ServiceOptions
  readonly arguments: { readonly url: string }
  readonly options: Options
  readonly terminal: Terminal
  readonly signal: AbortSignal
  progress(line: string): void
}

function transfer(invocation: Invocation, direction: 'push' | 'pull') {
  const { project, arguments: given, options, terminal, signal, progress } = invocation
  const decisions = decisionsIn(options)
  const onMissing = choiceIn('--missing', options.missing ?? 'refuse', ['refuse', 'include', 'drop'] as const)
  return withTransfer(project, async (own) => {
    const remote = await remoteSide(project, { url: given.url, options, terminal, signal })
    const comparison = await comparisonOf({ own: own.side, remote }, direction === 'pull', options)
    const compared = await comparedSections(comparison, await selectionOf(options, comparison.source))
    progress(await differencesText(comparison, compared))
    const all = planTransfer(compared, { isDeleting: options.delete === true, ...decisions })
    assertDecided(all)
    const { plan, alone, left } = firstStep(comparison, all)
    if (plan.puts.length + plan.removals.length === 0 && plan.agreements.length === 0) {
      return { text: 'Nothing to transfer', json: { sections: {} } }
    }
    const isChange = plan.puts.length + plan.removals.length > 0
    if (isChange && options.yes !== true) {
      await confirm(`${countsText(plan)} on the side ${comparison.target.name}?`, terminal)
    }
    const result = await carryOut({ own, comparison, onMissing, progress }, plan)
    const text = [resultText(result), ...stepText(comparison.target.name, alone, left)].join('\n')
    return { text, json: { ...result, left } }
  })
}

interface Carrying {
  readonly own: Transfer
  readonly comparison: Comparison
  readonly onMissing: OnMissing
  progress(line: string): void
}

async function carryOut({ own, comparison, onMissing, progress }: Carrying, plan: TransferPlan) {
  const path = await own.newPath()
  try {
    const written = await writePackage(comparison, plan, { path, onMissing })
    const { files } = written
    await sendFiles(comparison, files, ({ name, size }, place) =>
      progress(`file ${place + 1} of ${files.length}: ${name} (${size} bytes)`),
    )
    const result = await comparison.target.apply(written)
    await rememberAtSource(comparison, [...plan.puts, ...plan.removals, ...plan.agreements])
    return { ...result, included: written.included.map(nameOf) }
  } finally {
    await rm(path, { force: true })
  }
}

/** The source may be asked with a token that only reads: what the target remembers is enough. */
async function rememberAtSource({ source, target }: Comparison, items: readonly ItemName[]): Promise<void> {
  const [ofSource, ofTarget] = [source.described.environment, target.described.environment]
  const remember = async (section: string, keys: readonly string[]) => {
    const agreed = await target.agreementsOn(ofSource, section, keys)
    const [first] = agreed
    if (first === undefined) return
    const seen = agreed.map(({ key, own, theirs }) => ({ section, key, own: theirs, theirs: own }))
    await source.remember(ofTarget, seen, first.agreedAt)
  }
  const atOnce = 200
  for (const section of new Set(items.map((item) => item.section))) {
    const keys = items.filter((item) => item.section === section).map(({ key }) => key)
    try {
      for (let start = 0; start < keys.length; start += atOnce) {
        await remember(section, keys.slice(start, start + atOnce))
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') throw error
    }
  }
}

async function withTransfer<T>(
  project: ServiceOptions,
  work: (transfer: Transfer) => Promise<T>,
): Promise<T> {
  // Entries are written here, and the search index with them; the log of changes tells which have changed since the last comparison.
  const kernel = await startServices(project, { steps: ['search:prepare', 'changes:begin'] })
  try {
    return await work(kernel.get(transferService))
  } finally {
    await kernel.stop()
  }
}

interface Remote {
  readonly url: string
  readonly options: Pick<Options, 'allowHttp'>
  readonly terminal: Terminal
  readonly signal: AbortSignal
}

/** The token never comes from the arguments: those show up in the process list and in the shell's history. */
async function remoteSide(
  { env }: ServiceOptions,
  { url, options, terminal, signal }: Remote,
): Promise<TransferSide> {
  const token = env.MORTISE_TRANSFER_TOKEN || (await askToken(terminal))
  return openRemoteSide({ url, token, isHttpAllowed: options.allowHttp === true, signal })
}

async function askToken(terminal: Terminal): Promise<string> {
  if (terminal.input.isTTY === true) return askSecret('API token of the other environment: ', terminal)
  throw new CommandError('set MORTISE_TRANSFER_TOKEN to an API token of the other environment')
}

interface BothSides {
  readonly own: TransferSide
  readonly remote: TransferSide
}

function comparisonOf(
  { own, remote }: BothSides,
  isPull: boolean,
  { without }: Options,
): Promise<Comparison> {
  const [source, target] = isPull ? [remote, own] : [own, remote]
  return comparisonBetween(source, target, listIn(without))
}

async function selectionOf(options: Options, source: TransferSide): Promise<Selection> {
  const items =
    options.release === undefined ? entriesIn(options.entries) : await source.release(options.release)
  return { only: listIn(options.only), types: listIn(options.types), items }
}

const entriesIn = (text: string | undefined) => listIn(text)?.map(itemNamed)

function listIn(text: string | undefined): string[] | undefined {
  const names = text?.split(',').map((name) => name.trim())
  return names?.filter((name) => name !== '')
}

/** @throws CommandError */
function decisionsIn({ onConflict, resolve }: Options) {
  const decisions = new Map<string, Decision>()
  for (const text of listIn(resolve) ?? []) {
    const [name = '', decision = ''] = text.split('=', 2)
    decisions.set(nameOf(itemNamed(name)), choiceIn('--resolve', decision, possibleDecisions))
  }
  const forAll =
    onConflict === undefined ? undefined : choiceIn('--on-conflict', onConflict, possibleDecisions)
  return { onConflict: forAll, decisions }
}

const possibleDecisions = ['source', 'target', 'skip'] as const satisfies readonly Decision[]

/** @throws CommandError */
function choiceIn<const Choice extends string>(
  option: string,
  text: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === text)
  if (found !== undefined) return found
  throw new CommandError(`${option} has no ${text}; there are ${choices.join(', ')}`)
}
