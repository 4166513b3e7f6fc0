import { defineSetting } from '../config/config.ts'

/** Where the schema files are; a path, relative ones from the working directory. */
export const schemasDir = defineSetting({
  key: 'schemasDir',
  tier: 'infrastructure',
  type: 'string',
  default: './schemas',
  label: 'Schemas directory',
  description: 'Where the JSON files are that declare content types and components.',
})
