import { resolve } from 'node:path'
import { openWordpress } from '../core-plugins/administration/migrations/migrations.ts'
import { defineCoreCommand } from './command.ts'
import { bringInExport } from './migration.ts'
import { migrationOptions } from './migration-options.ts'

export const importWordpressCommand = defineCoreCommand({
  name: 'import wordpress',
  summary:
    'brings in the posts, pages, terms, authors and files of an export of WordPress (WXR); --dry-run tries it',
  example: 'import wordpress export.xml --uploads wp-content/uploads --dry-run',
  arguments: { file: { summary: 'what Tools > Export of WordPress has written, or `wp export`' } },
  options: {
    ...migrationOptions,
    uploads: {
      type: 'string',
      summary: 'the folder wp-content/uploads of the site; without it, files are fetched from the site',
    },
    types: { type: 'string', summary: 'only these types of posts, by their names in WordPress: post,page' },
  },
  hasJson: true,
  run: (input) =>
    bringInExport(input, ({ path, types }) => {
      const { uploads } = input.options
      const folder = uploads === undefined ? undefined : resolve(input.project.workingDirectory, uploads)
      return openWordpress(path, { uploads: folder, types })
    }),
})
