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
  /** The title of the area, the same key as in the main navigation: `shell.operations`. */
  readonly title: TextKey
  /** The path of the area: `/operations`. It redirects to the first section that the user may open. */
  readonly start: string
}

/** Creates an area: several screens below one path with their own navigation. Plugins add them as `sections`. */
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

/** The sections with a label that the user may open. */
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

/** On narrow screens it scrolls, with the current section visible. */
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
