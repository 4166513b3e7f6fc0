import { Type } from 'typebox'
import { defineSetting } from '../config/config.ts'

/** Where the schema files are; a path, relative ones from the working directory. */
export const schemasDir = defineSetting(
  'schemasDir',
  Type.String({
    tier: 'infrastructure',
    default: './schemas',
    title: 'Schemas directory',
    description: 'Where the JSON files are that declare content types and components.',
  }),
)

/** The third-party plugins whose content types, components and attributes may have any names. */
export const freeNames = defineSetting(
  'schemas.freeNames',
  Type.Array(Type.String(), {
    tier: 'infrastructure',
    default: [],
    title: 'Plugins with free names',
    description: 'Plugins whose content types, components and attributes need not be named after the plugin.',
  }),
)
