import { type MirrorGroup, pairTriggerName, triggerName } from '../../sync/mirror.ts'

const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``

/** The statements that keep the columns of a group in sync, whichever of them is written. Repeatable. */
export function mirrorStatements(table: string, group: MirrorGroup): string[] {
  const columns = [group.column, ...group.earlier].map(quote)
  const trigger = (event: 'insert' | 'update') =>
    `create trigger ${quote(triggerName(table, group.column, event))} before ${event} on ${quote(table)} for each row`
  const assign = (from: string, to: readonly string[]) =>
    to.map((column) => `set new.${column} = new.${from};`).join(' ')
  const branches = columns.map((column) => {
    const others = columns.filter((other) => other !== column)
    return `if not (new.${column} <=> old.${column}) then ${assign(column, others)}`
  })
  const [column = '', ...earlier] = columns
  return [
    ...endMirrorStatements(table, group),
    `${trigger('insert')} begin
      set new.${column} = coalesce(${columns.map((each) => `new.${each}`).join(', ')});
      ${assign(column, earlier)}
    end`,
    `${trigger('update')} ${branches.join(' else')} end if`,
  ]
}

export function endMirrorStatements(table: string, { column, earlier }: MirrorGroup): string[] {
  return (['insert', 'update'] as const)
    .flatMap((event) => [
      triggerName(table, column, event),
      ...earlier.map((each) => pairTriggerName(table, { column, earlier: each }, event)),
    ])
    .map((name) => `drop trigger if exists ${quote(name)}`)
}
