import { PluginFault } from '../../../../kernel/index.ts'
import { type FileProblem, inFile, type SchemaProblem } from '../files/file-problem.ts'
import { readAddedAttributes } from '../files/read-source.ts'
import type { Drafts, SchemaSource } from '../files/schema-source.ts'
import type { Origin } from '../origin.ts'
import { addAttributes } from './extend-by-file.ts'
import type { ExtendableType, TypeExtension } from './schema-contributions.ts'

/** A `TypeExtension` and the plugin that contributes it. */
export interface TypeExtending {
  readonly plugin: string
  readonly space?: string
  readonly extension: TypeExtension
}

/** Calls every extension for every type of `drafts`, and adds the attributes that it returns. */
export function extendByCode(
  extensions: readonly TypeExtending[],
  drafts: Drafts & { readonly types: Map<string, SchemaSource> },
): SchemaProblem[] {
  if (extensions.length === 0) return []
  const shown = [...drafts.types.values()].map(shownType)
  return extensions.flatMap((extending) => shown.flatMap((type) => extend(type, extending, drafts)))
}

function shownType({ name, content, origin, system }: SchemaSource): ExtendableType {
  return {
    name,
    kind: content.kind,
    plugin: origin.plugin,
    system: system !== undefined,
    pluginOptions: content.pluginOptions ?? {},
    attributes: content.attributes,
  }
}

function extend(
  shown: ExtendableType,
  { plugin, space, extension }: TypeExtending,
  drafts: Drafts & { readonly types: Map<string, SchemaSource> },
): SchemaProblem[] {
  const attributes = answerOf(extension, shown, plugin)
  const type = drafts.types.get(shown.name)
  if (attributes === undefined || type === undefined) return []
  const origin: Origin = {
    path: `the extension of ${shown.name} by ${plugin}`,
    plugin,
    ...(space === undefined || shown.plugin === plugin ? {} : { space }),
  }
  const read = readAddedAttributes(shown.name, { attributes }, drafts)
  const { draft, problems } = addAttributes(type, read, origin)
  drafts.types.set(shown.name, draft)
  return [...read.problems, ...problems].map((problem: FileProblem) => inFile(origin, problem))
}

/**
 * A copy, which the plugin cannot change afterwards.
 * @throws PluginFault for anything but a JSON object
 */
function answerOf(extension: TypeExtension, shown: ExtendableType, plugin: string): object | undefined {
  try {
    const answer = extension.extend(structuredClone(shown))
    if (answer === undefined) return undefined
    const copy: unknown = JSON.parse(JSON.stringify(answer) ?? 'null')
    if (typeof copy === 'object' && copy !== null && !Array.isArray(copy)) return copy
    throw new Error(`what it adds to ${shown.name} must be an object of attributes`)
  } catch (error) {
    throw new PluginFault(plugin, error)
  }
}
