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
