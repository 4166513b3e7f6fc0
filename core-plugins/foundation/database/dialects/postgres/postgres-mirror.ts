import { type MirrorGroup, pairTriggerName, triggerName } from '../../sync/mirror.ts'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The statements that keep the columns of a group in sync, whichever of them is written. Repeatable. */
export function mirrorStatements(table: string, group: MirrorGroup): string[] {
  const name = quote(triggerName(table, group.column))
  const columns = [group.column, ...group.earlier].map(quote)
  const assign = (from: string, to: readonly string[]) =>
    to.map((column) => `new.${column} := new.${from};`).join(' ')
  const branches = columns.map((column) => {
    const others = columns.filter((other) => other !== column)
    return `new.${column} is distinct from old.${column} then ${assign(column, others)}`
  })
  const [column = '', ...earlier] = columns
  return [
    ...endMirrorStatements(table, group),
    `create function ${name}() returns trigger language plpgsql as $mirror$
      begin
        if tg_op = 'INSERT' then
          new.${column} := coalesce(${columns.map((each) => `new.${each}`).join(', ')});
          ${assign(column, earlier)}
        elsif ${branches.join('\n        elsif ')}
        end if;
        return new;
      end $mirror$`,
    `create trigger ${name} before insert or update on ${quote(table)} for each row execute function ${name}()`,
  ]
}

export function endMirrorStatements(table: string, { column, earlier }: MirrorGroup): string[] {
  const names = [
    triggerName(table, column),
    ...earlier.map((each) => pairTriggerName(table, { column, earlier: each })),
  ]
  return names
    .map(quote)
    .flatMap((name) => [
      `drop trigger if exists ${name} on ${quote(table)}`,
      `drop function if exists ${name}()`,
    ])
}
