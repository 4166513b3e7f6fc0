import { relative, resolve } from 'node:path'
import { Type } from 'typebox'
import { type Config, defineSetting } from '../config/config.ts'

/** The path of the schema files; relative paths start at the working directory. */
export const schemasDir = defineSetting(
  'schemasDir',
  Type.String({
    tier: 'infrastructure',
    default: './schemas',
    title: 'Schemas directory',
    description: 'Where the JSON files are that declare content types and components.',
  }),
)

/** The directory of the schema files, and its name in messages. */
export function schemasFolderOf(config: Config): { readonly directory: string; readonly label: string } {
  const directory = resolve(config.workingDirectory, config.get(schemasDir))
  return { directory, label: relative(config.workingDirectory, directory) || '.' }
}

/** The third-party plugins whose content types, components and attributes may have arbitrary names. */
export const freeNames = defineSetting(
  'schemas.freeNames',
  Type.Array(Type.String(), {
    tier: 'infrastructure',
    default: [],
    title: 'Plugins with free names',
    description: 'Plugins whose content types, components and attributes need not be named after the plugin.',
  }),
)
