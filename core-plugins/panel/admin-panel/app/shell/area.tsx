import { type ComponentType, useEffect, useRef } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { useAccess } from '../ground/access/access.ts'
import { type TextKey, t } from '../ground/i18n/translate.ts'
import { Link } from '../ground/kit/link/link.tsx'
import classes from './area.module.css'
import { useContributions } from './panel-part.ts'
import { NotFoundPage } from './refusal-pages.tsx'
import { isOpenTo, isWithin, type Section } from './screen.ts'
import { NoScreen, routesTo } from './shown-screen.tsx'

export interface AreaParts {
  /** The name of its navigation, as the large navigation has it: `shell.operations`. */
  readonly title: TextKey
  /** Where it begins: `/operations`. It leads to the first section that one may open. */
  readonly start: string
}

/** Several screens below one path, with a navigation of their own: those that plugins contribute as `sections` there. */
export function createArea({ title, start }: AreaParts): ComponentType {
  return function Area() {
    const sections = useContributions('sections').filter(({ path }) => isWithin(start, path))
    return (
      <div className={classes.area}>
        <SectionNavigation title={title} sections={sections} />
        <div className={classes.section}>
          <Switch>
            {routesTo(sections)}
            <Route path={start}>
              <FirstSection sections={sections} />
            </Route>
            <Route>
              <NoScreen />
            </Route>
          </Switch>
        </div>
      </div>
    )
  }
}

interface SectionsProps {
  readonly sections: readonly Section[]
}

/** The sections that have a name and would not be refused. */
function useShownSections({ sections }: SectionsProps) {
  const access = useAccess()
  return sections.flatMap((section) => {
    const { path, label } = section
    return label === undefined || !isOpenTo(section, access) ? [] : [{ path, label }]
  })
}

function FirstSection(props: SectionsProps) {
  const [first] = useShownSections(props)
  return first === undefined ? <NotFoundPage /> : <Redirect to={first.path} replace />
}

/** Where there is no room for all of them, it scrolls, and the current one is in sight. */
function SectionNavigation({ title, sections }: SectionsProps & Pick<AreaParts, 'title'>) {
  const [location] = useLocation()
  const shown = useShownSections({ sections })
  const list = useRef<HTMLUListElement>(null)
  const current = shown.find(({ path }) => isWithin(path, location))?.path
  useEffect(() => {
    if (current === undefined) return
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [current])
  return (
    <nav aria-label={t(title)} className={classes.navigation}>
      <ul ref={list} className={classes.list}>
        {shown.map(({ path, label }) => (
          <li key={path}>
            <Link to={path} className={classes.item} isCurrent={path === current}>
              {t(label)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
