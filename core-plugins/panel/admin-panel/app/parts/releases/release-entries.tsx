import type { ReleaseCheck, ReleaseItem, WholeRelease } from '../../../../../../client/admin.ts'
import { useAccess } from '../../ground/access/access.ts'
import { admin } from '../../ground/api/admin.ts'
import { useContentTypes } from '../../ground/api/content-types.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { t } from '../../ground/i18n/translate.ts'
import { Badge } from '../../ground/kit/badge/badge.tsx'
import { IconButton } from '../../ground/kit/button/button.tsx'
import { Select } from '../../ground/kit/field/select.tsx'
import { Link } from '../../ground/kit/link/link.tsx'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { findingText } from './finding-text.ts'
import classes from './releases.module.css'
import { useReleaseChange } from './use-releases.ts'

export interface ReleaseEntriesProps {
  readonly release: WholeRelease
  readonly check: ReleaseCheck | undefined
}

/** The entries of a release, by type. */
export function ReleaseEntries({ release, check }: ReleaseEntriesProps) {
  const types = useContentTypes() ?? []
  const names = [...new Set(release.entries.map(({ contentType }) => contentType))]
  if (release.entryCount === 0) return <p className={classes.quiet}>{t('releases.nothing')}</p>
  return names.map((name) => (
    <section key={name} className={classes.group}>
      <h2 className={classes.groupTitle}>
        {types.find((type) => type.name === name)?.info.displayName ?? name}
      </h2>
      <ul className={classes.list}>
        {release.entries
          .filter(({ contentType }) => contentType === name)
          .map((item) => (
            <Item key={item.id} item={item} release={release} check={check} />
          ))}
      </ul>
    </section>
  ))
}

interface ItemProps extends ReleaseEntriesProps {
  readonly item: ReleaseItem
}

function Item({ item, release, check }: ItemProps) {
  const access = useAccess()
  const { contentType, entryId, action, visible } = item
  const title = item.title ?? `#${entryId}`
  const isOpen = release.status !== 'published' && release.status !== 'publishing'
  const mayChange = isOpen && access.mayContent(contentType, 'publish')
  const mayRemove = isOpen && (mayChange || access.mayArea('releases', 'write'))
  return (
    <li className={classes.item}>
      <span className={classes.itemTitle}>
        {visible ? <Link to={`/content/${contentType}/${entryId}`}>{title}</Link> : title}
      </span>
      {mayChange ? (
        <ActionChoice release={release} item={item} title={title} />
      ) : (
        <Badge>{t(`releases.action.${action}`)}</Badge>
      )}
      {mayRemove && <RemoveButton release={release} item={item} title={title} />}
      <Findings check={check} item={item} />
    </li>
  )
}

interface ChoiceProps extends Pick<ItemProps, 'item' | 'release'> {
  readonly title: string
}

const actions = ['publish', 'unpublish'] as const

function ActionChoice({ release, item: { contentType, entryId, action }, title }: ChoiceProps) {
  const change = useReleaseChange((next: (typeof actions)[number]) =>
    admin.releases.put(release.id, { contentType, entryIds: [entryId], action: next }),
  )
  return (
    <div className={classes.action}>
      <Select
        label={t('releases.actionOf', { title })}
        isLabelHidden
        value={change.isPending ? change.variables : action}
        isDisabled={change.isPending}
        onChange={(next) =>
          change.mutate(next === 'unpublish' ? next : 'publish', {
            onError: (error) => toast('danger', errorText(error)),
          })
        }
        options={actions.map((value) => ({ value, label: t(`releases.action.${value}`) }))}
      />
    </div>
  )
}

function RemoveButton({ release, item, title }: ChoiceProps) {
  const remove = useReleaseChange(() => admin.releases.remove(release.id, item.id))
  return (
    <IconButton
      icon="x"
      label={t('releases.remove', { title })}
      isPending={remove.isPending}
      onPress={() => remove.mutate(undefined, { onError: (error) => toast('danger', errorText(error)) })}
    />
  )
}

function Findings({ check, item }: Pick<ItemProps, 'check' | 'item'>) {
  const problems = check?.problems.filter(({ itemId }) => itemId === item.id) ?? []
  const conflicts = check?.conflicts.filter(({ itemId }) => itemId === item.id) ?? []
  if (problems.length + conflicts.length === 0) return null
  return (
    <ul className={classes.itemFindings}>
      {problems.map((finding) => (
        <li key={finding.code} className={classes.itemProblem}>
          {findingText(finding)}
        </li>
      ))}
      {conflicts.map((finding) => (
        <li key={`${finding.code} ${finding.release?.id}`} className={classes.itemConflict}>
          {findingText(finding)}
        </li>
      ))}
    </ul>
  )
}
