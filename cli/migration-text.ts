import type {
  MigrationReport,
  MigrationSource,
  SchemaFileChange,
} from '../core-plugins/administration/migrations/migrations.ts'
import { formatTable } from './table.ts'

/** What a dry run tells. */
export function previewText(
  source: MigrationSource,
  changes: readonly SchemaFileChange[],
  report: MigrationReport,
): string {
  return [
    `${source.title}; this was a trial, and nothing was changed.`,
    heading('Schema files'),
    formatTable(changes.map(({ path, state }) => [`  ${path}`, stateTexts[state]])),
    heading('To be brought in'),
    ...contentText(source, report),
  ].join('\n')
}

const stateTexts = { new: 'is new', different: 'would be replaced', same: 'is as it has to be' }

const heading = (text: string) => `\n${text}:`

/** What a migration tells at its end. */
export function reportText(source: MigrationSource, report: MigrationReport): string {
  const { created, updated, unchanged } = report
  return [
    `${source.title} is brought in: ${created} entries created, ${updated} changed, ${unchanged} as they were.`,
    '',
    ...contentText(source, report),
    '\nA service that runs already knows the new types after a restart.',
  ].join('\n')
}

function contentText({ title }: MigrationSource, report: MigrationReport): string[] {
  const { counts, findings, problems, problemCount } = report
  const rows = counts.map(({ subject, there, here }) => [
    `  ${subject}`,
    String(there),
    String(here),
    there === here ? '' : '← differs',
  ])
  const more = problemCount > problems.length ? [`  … and ${problemCount - problems.length} more`] : []
  const lines = problems.map(
    ({ line, type, path, message }) =>
      `  record ${line}, ${type}${path === '' ? '' : `.${path}`}: ${message}`,
  )
  return [
    formatTable([['  ', title, 'here', ''], ...rows]),
    ...(lines.length === 0 ? [] : [heading('Left out'), ...lines, ...more]),
    ...findingsText(findings),
  ]
}

function findingsText(findings: MigrationReport['findings']): string[] {
  if (findings.length === 0) return []
  return [
    heading('Without a counterpart, or with another one'),
    ...findings.map(({ subject, message }) => `  ${subject} ${message}`),
  ]
}

/** Whether something was left out that is there. */
export const isIncomplete = ({ problemCount, counts }: MigrationReport) =>
  problemCount > 0 || counts.some(({ there, here }) => here < there)
