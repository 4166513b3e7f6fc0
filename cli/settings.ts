import {
  envNameOf,
  limitsOf,
  type Setting,
  settings,
  typeOf,
} from '../core-plugins/foundation/config/config.ts'
import type { ServiceOptions } from '../service.ts'
import { defineCoreCommand } from './command.ts'
import { readDeclarations } from './partial-service.ts'

export const settingsCommand = defineCoreCommand({
  name: 'settings',
  summary: 'shows all settings of the active plugins, as a table in Markdown',
  example: 'settings --json',
  hasJson: true,
  async run({ project }) {
    const found = await readSettings(project)
    return { text: settingsTable(found), json: found.map(described) }
  },
})

function described(setting: Setting<unknown>) {
  const { key, tier, schema, description } = setting
  return { key, variable: envNameOf(setting), tier, schema, default: setting.default, description }
}

/** By tier, in the specification's order, then by key. */
async function readSettings(project: ServiceOptions): Promise<Setting<unknown>[]> {
  const found: Setting<unknown>[] = []
  await readDeclarations(project, ({ contributions }) => void found.push(...contributions(settings)))
  const tiers = ['infrastructure', 'secret', 'runtime']
  const rank = ({ tier, key }: Setting<unknown>) => `${tiers.indexOf(tier)} ${key}`
  return found.sort((left, right) => (rank(left) < rank(right) ? -1 : 1))
}

function settingsTable(found: readonly Setting<unknown>[]): string {
  const rows = found.map((setting) => [
    `\`${setting.key}\``,
    `\`${envNameOf(setting)}\``,
    setting.tier,
    describeType(setting),
    describeDefault(setting),
    setting.description,
  ])
  const header = ['Setting', 'Variable', 'Tier', 'Type', 'Default', 'Meaning']
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`
  return [header, header.map(() => '---'), ...rows].map(line).join('\n')
}

function describeType({ schema }: Setting<unknown>): string {
  const { min, max, enum: allowed } = limitsOf(schema)
  if (allowed !== undefined) return allowed.map((value) => `\`${value}\``).join(', ')
  const bounds = [min === undefined ? '' : `from ${min}`, max === undefined ? '' : `to ${max}`].filter(
    Boolean,
  )
  return [typeOf(schema), ...bounds].join(' ')
}

function describeDefault(setting: Setting<unknown>): string {
  if (setting.default === '' || setting.default === undefined) return 'none'
  return `\`${JSON.stringify(setting.default)}\``
}

const escapeCell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
