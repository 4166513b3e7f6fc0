import { openStrapi } from '../core-plugins/administration/migrations/migrations.ts'
import { defineCoreCommand } from './command.ts'
import { bringInExport, type MigrationInput } from './migration.ts'
import { migrationOptions } from './migration-options.ts'
import { askSecret } from './read-password.ts'

export const importStrapiCommand = defineCoreCommand({
  name: 'import strapi',
  summary: 'brings in the types, entries, files and users of a `strapi export`; --dry-run tries it',
  example: 'import strapi export.tar.gz --dry-run',
  arguments: {
    file: {
      summary:
        'what `strapi export` has written: .tar.gz, .tar, or .enc, whose key is in MORTISE_STRAPI_KEY or asked for',
    },
  },
  options: {
    ...migrationOptions,
    types: { type: 'string', summary: 'only these, by their singular names: article,author' },
  },
  hasJson: true,
  run: (input) =>
    bringInExport(input, async ({ path, types }) =>
      openStrapi(path, { key: await keyOf(path, input), types }),
    ),
})

/** Never from the arguments: those show up in the process list and in the shell's history. */
async function keyOf(
  path: string,
  { project: { env }, terminal }: Pick<MigrationInput, 'project' | 'terminal'>,
): Promise<string | undefined> {
  if (env.MORTISE_STRAPI_KEY) return env.MORTISE_STRAPI_KEY
  if (!path.endsWith('.enc') || terminal.input.isTTY !== true) return undefined
  return askSecret('Key of the export: ', terminal)
}
