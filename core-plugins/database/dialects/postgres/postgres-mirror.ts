import { type Renaming, triggerName } from '../../sync/mirror.ts'

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`

/** The statements that keep two columns of a table in sync, whichever is written. Repeatable. */
export function mirrorStatements(table: string, renaming: Renaming): string[] {
  const name = quote(triggerName(table, renaming))
  const column = quote(renaming.column)
  const earlier = quote(renaming.earlier)
  return [
    ...endMirrorStatements(table, renaming),
    `create function ${name}() returns trigger language plpgsql as $mirror$
      begin
        if tg_op = 'INSERT' then
          if new.${column} is null then new.${column} := new.${earlier}; else new.${earlier} := new.${column}; end if;
        elsif new.${column} is distinct from old.${column} then new.${earlier} := new.${column};
        elsif new.${earlier} is distinct from old.${earlier} then new.${column} := new.${earlier};
        end if;
        return new;
      end $mirror$`,
    `create trigger ${name} before insert or update on ${quote(table)} for each row execute function ${name}()`,
    `update ${quote(table)} set ${column} = ${earlier} where ${column} is null and ${earlier} is not null`,
  ]
}

export function endMirrorStatements(table: string, renaming: Renaming): string[] {
  const name = quote(triggerName(table, renaming))
  return [`drop trigger if exists ${name} on ${quote(table)}`, `drop function if exists ${name}()`]
}
