// Written by `npm run mortise -- types` from the schema files; changes are lost.

/** How to telephone a country from abroad. */
export interface CountryCallingCode {
  id?: number | string
  root: string
  suffixes: unknown
}

/** What is sent for CountryCallingCode. */
export interface CountryCallingCodeInput {
  id?: number | string
  root: string
  suffixes?: unknown
}

/** What CountryCallingCode can be filtered by. */
export interface CountryCallingCodeFilters {
  $and?: CountryCallingCodeFilters[]
  $or?: CountryCallingCodeFilters[]
  $not?: CountryCallingCodeFilters
  root?: TextFilter
  suffixes?: JsonFilter
}

/** What clients know of CountryCallingCode. */
export interface CountryCallingCodeShape {
  entry: CountryCallingCode
  references: {}
  parts: {}
}

/** Where a country lies. */
export interface CountryGeography {
  id?: number | string
  latitude: number | string
  longitude: number | string
  landlocked: boolean
}

/** What is sent for CountryGeography. */
export interface CountryGeographyInput {
  id?: number | string
  latitude: number | string
  longitude: number | string
  landlocked: boolean
}

/** What CountryGeography can be filtered by. */
export interface CountryGeographyFilters {
  $and?: CountryGeographyFilters[]
  $or?: CountryGeographyFilters[]
  $not?: CountryGeographyFilters
  latitude?: ValueFilter<number | string>
  longitude?: ValueFilter<number | string>
  landlocked?: ValueFilter<boolean>
}

/** What clients know of CountryGeography. */
export interface CountryGeographyShape {
  entry: CountryGeography
  references: {}
  parts: {}
}

/** What a country is called, at home and abroad. */
export interface CountryNames {
  id?: number | string
  official: string
  alternatives: unknown
  native: CountryNativeName[] | null
}

/** What is sent for CountryNames. */
export interface CountryNamesInput {
  id?: number | string
  official: string
  alternatives?: unknown
  native?: CountryNativeNameInput[] | null
}

/** What CountryNames can be filtered by. */
export interface CountryNamesFilters {
  $and?: CountryNamesFilters[]
  $or?: CountryNamesFilters[]
  $not?: CountryNamesFilters
  official?: TextFilter
  alternatives?: JsonFilter
  native?: ComponentFilter<CountryNativeNameFilters>
}

/** What clients know of CountryNames. */
export interface CountryNamesShape {
  entry: CountryNames
  references: {}
  parts: { native: { "country.native-name": CountryNativeNameShape } }
}

/** The name of a country in one of its languages. */
export interface CountryNativeName {
  id?: number | string
  language: number | Language | null
  common: string
  official: string
}

/** What is sent for CountryNativeName. */
export interface CountryNativeNameInput {
  id?: number | string
  language?: number | null
  common: string
  official: string
}

/** What CountryNativeName can be filtered by. */
export interface CountryNativeNameFilters {
  $and?: CountryNativeNameFilters[]
  $or?: CountryNativeNameFilters[]
  $not?: CountryNativeNameFilters
  language?: RelationFilter<LanguageFilters>
  common?: TextFilter
  official?: TextFilter
}

/** What clients know of CountryNativeName. */
export interface CountryNativeNameShape {
  entry: CountryNativeName
  references: { language: { of: LanguageShape; many: false; inverse: false } }
  parts: {}
}

/** A picture with a caption. */
export interface SharedImage {
  id?: number | string
  image: number | Media | null
  caption: string | null
  layout: "inline" | "wide" | "full" | null
}

/** What is sent for SharedImage. */
export interface SharedImageInput {
  id?: number | string
  image: number
  caption?: string | null
  layout?: "inline" | "wide" | "full" | null
}

/** What SharedImage can be filtered by. */
export interface SharedImageFilters {
  $and?: SharedImageFilters[]
  $or?: SharedImageFilters[]
  $not?: SharedImageFilters
  image?: RelationFilter<MediaFilters>
  caption?: TextFilter
  layout?: ValueFilter<"inline" | "wide" | "full">
}

/** What clients know of SharedImage. */
export interface SharedImageShape {
  entry: SharedImage
  references: { image: { of: MediaShape; many: false; inverse: false } }
  parts: {}
}

/** A quotation with its source. */
export interface SharedQuote {
  id?: number | string
  text: string
  source: string | null
}

/** What is sent for SharedQuote. */
export interface SharedQuoteInput {
  id?: number | string
  text: string
  source?: string | null
}

/** What SharedQuote can be filtered by. */
export interface SharedQuoteFilters {
  $and?: SharedQuoteFilters[]
  $or?: SharedQuoteFilters[]
  $not?: SharedQuoteFilters
  text?: TextFilter
  source?: TextFilter
}

/** What clients know of SharedQuote. */
export interface SharedQuoteShape {
  entry: SharedQuote
  references: {}
  parts: {}
}

/** A stretch of formatted text. */
export interface SharedRichText {
  id?: number | string
  body: string
}

/** What is sent for SharedRichText. */
export interface SharedRichTextInput {
  id?: number | string
  body: string
}

/** What SharedRichText can be filtered by. */
export interface SharedRichTextFilters {
  $and?: SharedRichTextFilters[]
  $or?: SharedRichTextFilters[]
  $not?: SharedRichTextFilters
  body?: TextFilter
}

/** What clients know of SharedRichText. */
export interface SharedRichTextShape {
  entry: SharedRichText
  references: {}
  parts: {}
}

/** What search engines and link previews show. */
export interface SharedSeo {
  id?: number | string
  metaTitle: string
  metaDescription: string | null
  shareImage: number | Media | null
}

/** What is sent for SharedSeo. */
export interface SharedSeoInput {
  id?: number | string
  metaTitle: string
  metaDescription?: string | null
  shareImage?: number | null
}

/** What SharedSeo can be filtered by. */
export interface SharedSeoFilters {
  $and?: SharedSeoFilters[]
  $or?: SharedSeoFilters[]
  $not?: SharedSeoFilters
  metaTitle?: TextFilter
  metaDescription?: TextFilter
  shareImage?: RelationFilter<MediaFilters>
}

/** What clients know of SharedSeo. */
export interface SharedSeoShape {
  entry: SharedSeo
  references: { shareImage: { of: MediaShape; many: false; inverse: false } }
  parts: {}
}

/** A post of the blog. */
export interface Article {
  id: number
  title: string
  slug: string
  excerpt: string | null
  body: string | null
  cover: number | Media | null
  author: number | Author | null
  categories: number[] | Category[]
  featured: boolean | null
  blocks: (({ __component: "shared.rich-text" } & SharedRichText) | ({ __component: "shared.quote" } & SharedQuote) | ({ __component: "shared.image" } & SharedImage))[] | null
  seo: SharedSeo | null
  uuid?: string
  published_at: string | null
  created_at: string
  updated_at: string
}

/** What is sent for a new Article; for a change any part of it. */
export interface ArticleInput {
  title: string
  slug: string
  excerpt?: string | null
  body?: string | null
  cover?: number | null
  author?: number | null
  categories?: number[] | null
  featured?: boolean | null
  blocks?: (({ __component: "shared.rich-text" } & SharedRichTextInput) | ({ __component: "shared.quote" } & SharedQuoteInput) | ({ __component: "shared.image" } & SharedImageInput))[] | null
  seo?: SharedSeoInput | null
}

/** What entries of Article can be filtered by. */
export interface ArticleFilters {
  $and?: ArticleFilters[]
  $or?: ArticleFilters[]
  $not?: ArticleFilters
  id?: ValueFilter<number>
  title?: TextFilter
  slug?: TextFilter
  excerpt?: TextFilter
  body?: TextFilter
  cover?: RelationFilter<MediaFilters>
  author?: RelationFilter<AuthorFilters>
  categories?: RelationFilter<CategoryFilters>
  featured?: ValueFilter<boolean>
  blocks?: ZoneFilter<{ "shared.rich-text": SharedRichTextFilters; "shared.quote": SharedQuoteFilters; "shared.image": SharedImageFilters }>
  seo?: ComponentFilter<SharedSeoFilters>
  uuid?: ValueFilter<string>
  published_at?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Article. */
export interface ArticleShape {
  kind: "collectionType"
  entry: Article
  input: ArticleInput
  filters: ArticleFilters
  references: { cover: { of: MediaShape; many: false; inverse: false }; author: { of: AuthorShape; many: false; inverse: false }; categories: { of: CategoryShape; many: true; inverse: false } }
  parts: { blocks: { "shared.rich-text": SharedRichTextShape; "shared.quote": SharedQuoteShape; "shared.image": SharedImageShape }; seo: { "shared.seo": SharedSeoShape } }
}

/** Somebody who writes articles. */
export interface Author {
  id: number
  name: string
  email: string | null
  bio: string | null
  avatar: number | Media | null
  articles?: Article[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Author; for a change any part of it. */
export interface AuthorInput {
  name: string
  email?: string | null
  bio?: string | null
  avatar?: number | null
}

/** What entries of Author can be filtered by. */
export interface AuthorFilters {
  $and?: AuthorFilters[]
  $or?: AuthorFilters[]
  $not?: AuthorFilters
  id?: ValueFilter<number>
  name?: TextFilter
  email?: TextFilter
  bio?: TextFilter
  avatar?: RelationFilter<MediaFilters>
  articles?: RelationFilter<ArticleFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Author. */
export interface AuthorShape {
  kind: "collectionType"
  entry: Author
  input: AuthorInput
  filters: AuthorFilters
  references: { avatar: { of: MediaShape; many: false; inverse: false }; articles: { of: ArticleShape; many: true; inverse: true } }
  parts: {}
}

/** A subject of articles. */
export interface Category {
  id: number
  name: string
  slug: string
  description: string | null
  articles?: Article[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Category; for a change any part of it. */
export interface CategoryInput {
  name: string
  slug: string
  description?: string | null
}

/** What entries of Category can be filtered by. */
export interface CategoryFilters {
  $and?: CategoryFilters[]
  $or?: CategoryFilters[]
  $not?: CategoryFilters
  id?: ValueFilter<number>
  name?: TextFilter
  slug?: TextFilter
  description?: TextFilter
  articles?: RelationFilter<ArticleFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Category. */
export interface CategoryShape {
  kind: "collectionType"
  entry: Category
  input: CategoryInput
  filters: CategoryFilters
  references: { articles: { of: ArticleShape; many: true; inverse: true } }
  parts: {}
}

/** A country or territory of ISO 3166-1. */
export interface Country {
  id: number
  name: string
  cca2: string
  cca3: string
  ccn3: string | null
  cioc: string | null
  status: "officially-assigned" | "user-assigned"
  independent: boolean | null
  unMember: boolean | null
  names: CountryNames
  geography: CountryGeography
  area: number | string | null
  flag: string | null
  capitals: unknown
  translations: unknown
  callingCode: CountryCallingCode | null
  region: number | Region | null
  languages: number[] | Language[]
  currencies: number[] | Currency[]
  borders: number[] | Country[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Country; for a change any part of it. */
export interface CountryInput {
  name: string
  cca2: string
  cca3: string
  ccn3?: string | null
  cioc?: string | null
  status: "officially-assigned" | "user-assigned"
  independent?: boolean | null
  unMember?: boolean | null
  names: CountryNamesInput
  geography: CountryGeographyInput
  area?: number | string | null
  flag?: string | null
  capitals?: unknown
  translations?: unknown
  callingCode?: CountryCallingCodeInput | null
  region?: number | null
  languages?: number[] | null
  currencies?: number[] | null
  borders?: number[] | null
}

/** What entries of Country can be filtered by. */
export interface CountryFilters {
  $and?: CountryFilters[]
  $or?: CountryFilters[]
  $not?: CountryFilters
  id?: ValueFilter<number>
  name?: TextFilter
  cca2?: TextFilter
  cca3?: TextFilter
  ccn3?: TextFilter
  cioc?: TextFilter
  status?: ValueFilter<"officially-assigned" | "user-assigned">
  independent?: ValueFilter<boolean>
  unMember?: ValueFilter<boolean>
  names?: ComponentFilter<CountryNamesFilters>
  geography?: ComponentFilter<CountryGeographyFilters>
  area?: ValueFilter<number | string>
  flag?: TextFilter
  capitals?: JsonFilter
  translations?: JsonFilter
  callingCode?: ComponentFilter<CountryCallingCodeFilters>
  region?: RelationFilter<RegionFilters>
  languages?: RelationFilter<LanguageFilters>
  currencies?: RelationFilter<CurrencyFilters>
  borders?: RelationFilter<CountryFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Country. */
export interface CountryShape {
  kind: "collectionType"
  entry: Country
  input: CountryInput
  filters: CountryFilters
  references: { region: { of: RegionShape; many: false; inverse: false }; languages: { of: LanguageShape; many: true; inverse: false }; currencies: { of: CurrencyShape; many: true; inverse: false }; borders: { of: CountryShape; many: true; inverse: false } }
  parts: { names: { "country.names": CountryNamesShape }; geography: { "country.geography": CountryGeographyShape }; callingCode: { "country.calling-code": CountryCallingCodeShape } }
}

/** A currency of ISO 4217. */
export interface Currency {
  id: number
  code: string
  name: string
  symbol: string | null
  countries?: Country[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Currency; for a change any part of it. */
export interface CurrencyInput {
  code: string
  name: string
  symbol?: string | null
}

/** What entries of Currency can be filtered by. */
export interface CurrencyFilters {
  $and?: CurrencyFilters[]
  $or?: CurrencyFilters[]
  $not?: CurrencyFilters
  id?: ValueFilter<number>
  code?: TextFilter
  name?: TextFilter
  symbol?: TextFilter
  countries?: RelationFilter<CountryFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Currency. */
export interface CurrencyShape {
  kind: "collectionType"
  entry: Currency
  input: CurrencyInput
  filters: CurrencyFilters
  references: { countries: { of: CountryShape; many: true; inverse: true } }
  parts: {}
}

/** The first page of the site. */
export interface Homepage {
  id: number
  heading: string
  introduction: string | null
  showAnnouncement: boolean | null
  announcement: string | null
  featuredArticles: number[] | Article[]
  blocks: (({ __component: "shared.rich-text" } & SharedRichText) | ({ __component: "shared.quote" } & SharedQuote) | ({ __component: "shared.image" } & SharedImage))[] | null
  seo: SharedSeo | null
  uuid?: string
  published_at: string | null
  created_at: string
  updated_at: string
}

/** What is sent for a new Homepage; for a change any part of it. */
export interface HomepageInput {
  heading: string
  introduction?: string | null
  showAnnouncement?: boolean | null
  announcement?: string | null
  featuredArticles?: number[] | null
  blocks?: (({ __component: "shared.rich-text" } & SharedRichTextInput) | ({ __component: "shared.quote" } & SharedQuoteInput) | ({ __component: "shared.image" } & SharedImageInput))[] | null
  seo?: SharedSeoInput | null
}

/** What entries of Homepage can be filtered by. */
export interface HomepageFilters {
  $and?: HomepageFilters[]
  $or?: HomepageFilters[]
  $not?: HomepageFilters
  id?: ValueFilter<number>
  heading?: TextFilter
  introduction?: TextFilter
  showAnnouncement?: ValueFilter<boolean>
  announcement?: TextFilter
  featuredArticles?: RelationFilter<ArticleFilters>
  blocks?: ZoneFilter<{ "shared.rich-text": SharedRichTextFilters; "shared.quote": SharedQuoteFilters; "shared.image": SharedImageFilters }>
  seo?: ComponentFilter<SharedSeoFilters>
  uuid?: ValueFilter<string>
  published_at?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Homepage. */
export interface HomepageShape {
  kind: "singleType"
  entry: Homepage
  input: HomepageInput
  filters: HomepageFilters
  references: { featuredArticles: { of: ArticleShape; many: true; inverse: false } }
  parts: { blocks: { "shared.rich-text": SharedRichTextShape; "shared.quote": SharedQuoteShape; "shared.image": SharedImageShape }; seo: { "shared.seo": SharedSeoShape } }
}

/** A language of ISO 639-3. */
export interface Language {
  id: number
  code: string
  name: string
  countries?: Country[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Language; for a change any part of it. */
export interface LanguageInput {
  code: string
  name: string
}

/** What entries of Language can be filtered by. */
export interface LanguageFilters {
  $and?: LanguageFilters[]
  $or?: LanguageFilters[]
  $not?: LanguageFilters
  id?: ValueFilter<number>
  code?: TextFilter
  name?: TextFilter
  countries?: RelationFilter<CountryFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Language. */
export interface LanguageShape {
  kind: "collectionType"
  entry: Language
  input: LanguageInput
  filters: LanguageFilters
  references: { countries: { of: CountryShape; many: true; inverse: true } }
  parts: {}
}

/** A file. */
export interface Media {
  id: number
  filename: string
  originalName: string
  mimeType: string
  size: number
  url: string
  width: number | null
  height: number | null
  alt: string | null
  caption: string | null
  focalX: number | string | null
  focalY: number | string | null
  tags: string | null
  folder: number | MediaFolder | null
  formats: Partial<Record<'small' | 'medium' | 'large', { url: string; width: number }>>
  placeholder: string | null
  uuid?: string
  created_at: string
  updated_at: string
}

/** What entries of Media can be filtered by. */
export interface MediaFilters {
  $and?: MediaFilters[]
  $or?: MediaFilters[]
  $not?: MediaFilters
  id?: ValueFilter<number>
  filename?: TextFilter
  originalName?: TextFilter
  mimeType?: TextFilter
  size?: ValueFilter<number>
  url?: TextFilter
  width?: ValueFilter<number>
  height?: ValueFilter<number>
  alt?: TextFilter
  caption?: TextFilter
  focalX?: ValueFilter<number | string>
  focalY?: ValueFilter<number | string>
  tags?: TextFilter
  folder?: RelationFilter<MediaFolderFilters>
  formats?: JsonFilter
  placeholder?: TextFilter
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Media. */
export interface MediaShape {
  kind: "collectionType"
  entry: Media
  filters: MediaFilters
  references: { folder: { of: MediaFolderShape; many: false; inverse: false } }
  parts: {}
}

/** A folder of files and of folders. */
export interface MediaFolder {
  id: number
  name: string
  parent: number | MediaFolder | null
  uuid?: string
  created_at: string
  updated_at: string
}

/** What entries of MediaFolder can be filtered by. */
export interface MediaFolderFilters {
  $and?: MediaFolderFilters[]
  $or?: MediaFolderFilters[]
  $not?: MediaFolderFilters
  id?: ValueFilter<number>
  name?: TextFilter
  parent?: RelationFilter<MediaFolderFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of MediaFolder. */
export interface MediaFolderShape {
  kind: "collectionType"
  entry: MediaFolder
  filters: MediaFolderFilters
  references: { parent: { of: MediaFolderShape; many: false; inverse: false } }
  parts: {}
}

/** A continent, or a part of one. */
export interface Region {
  id: number
  name: string
  parent: number | Region | null
  subregions?: Region[]
  countries?: Country[]
  uuid?: string
  created_at: string
  updated_at: string
}

/** What is sent for a new Region; for a change any part of it. */
export interface RegionInput {
  name: string
  parent?: number | null
}

/** What entries of Region can be filtered by. */
export interface RegionFilters {
  $and?: RegionFilters[]
  $or?: RegionFilters[]
  $not?: RegionFilters
  id?: ValueFilter<number>
  name?: TextFilter
  parent?: RelationFilter<RegionFilters>
  subregions?: RelationFilter<RegionFilters>
  countries?: RelationFilter<CountryFilters>
  uuid?: ValueFilter<string>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Region. */
export interface RegionShape {
  kind: "collectionType"
  entry: Region
  input: RegionInput
  filters: RegionFilters
  references: { parent: { of: RegionShape; many: false; inverse: false }; subregions: { of: RegionShape; many: true; inverse: true }; countries: { of: CountryShape; many: true; inverse: true } }
  parts: {}
}

/** What its holders may do. */
export interface Role {
  id: number
  name: string
  description: string | null
  created_at: string
  updated_at: string
}

/** What entries of Role can be filtered by. */
export interface RoleFilters {
  $and?: RoleFilters[]
  $or?: RoleFilters[]
  $not?: RoleFilters
  id?: ValueFilter<number>
  name?: TextFilter
  description?: TextFilter
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of Role. */
export interface RoleShape {
  kind: "collectionType"
  entry: Role
  filters: RoleFilters
  references: {}
  parts: {}
}

/** An end user. */
export interface User {
  id: number
  username: string
  displayName: string | null
  avatar: number | Media | null
  created_at: string
  updated_at: string
}

/** What entries of User can be filtered by. */
export interface UserFilters {
  $and?: UserFilters[]
  $or?: UserFilters[]
  $not?: UserFilters
  id?: ValueFilter<number>
  username?: TextFilter
  displayName?: TextFilter
  avatar?: RelationFilter<MediaFilters>
  created_at?: ValueFilter<string>
  updated_at?: ValueFilter<string>
}

/** What clients know of User. */
export interface UserShape {
  kind: "collectionType"
  entry: User
  filters: UserFilters
  references: { avatar: { of: MediaShape; many: false; inverse: false } }
  parts: {}
}

/** All content types by singular name. */
export interface ContentTypes {
  "article": ArticleShape
  "author": AuthorShape
  "category": CategoryShape
  "country": CountryShape
  "currency": CurrencyShape
  "homepage": HomepageShape
  "language": LanguageShape
  "region": RegionShape
}

/** Whether there is a value at all. */
export interface PresenceFilter {
  $null?: boolean
  $notNull?: boolean
}

export interface ValueOperators<Value> extends PresenceFilter {
  $eq?: Value
  $ne?: Value
  $lt?: Value
  $lte?: Value
  $gt?: Value
  $gte?: Value
  $in?: Value[]
  $notIn?: Value[]
  $between?: [Value, Value]
  $not?: ValueOperators<Value>
}

/** Those that end in `i` do not tell upper and lower case apart. */
export interface TextOperators extends Omit<ValueOperators<string>, '$not'> {
  $eqi?: string
  $nei?: string
  $contains?: string
  $notContains?: string
  $containsi?: string
  $notContainsi?: string
  $startsWith?: string
  $startsWithi?: string
  $endsWith?: string
  $endsWithi?: string
  $not?: TextOperators
}

/** A value, any of several, or operators. */
export type ValueFilter<Value> = Value | Value[] | ValueOperators<Value>

export type TextFilter = string | string[] | TextOperators

/** By id, or by the attributes of what it points at. */
export type RelationFilter<Filters> =
  | number
  | number[]
  | (Omit<ValueOperators<number>, '$not'> & Omit<Filters, '$not'> & { $not?: RelationFilter<Filters> })

/** By what is in it; of several, some one has to satisfy all conditions. */
export type ComponentFilter<Filters> = PresenceFilter &
  Omit<Filters, '$not'> & { $not?: ComponentFilter<Filters> }

/** By what is in the blocks of a component. */
export type ZoneFilter<Blocks> = PresenceFilter & Partial<Blocks> & { $not?: ZoneFilter<Blocks> }

type JsonScalar = string | number | boolean

/** A text that looks like a number, true or false is taken for that unless it is in double quotes. */
export interface JsonOperators extends Omit<ValueOperators<JsonScalar>, '$not'>, Omit<TextOperators, keyof ValueOperators<string>> {
  $and?: JsonFilter[]
  $or?: JsonFilter[]
  $not?: JsonFilter
}

/** A value, operators, or keys that lead to a value. */
export type JsonFilter = JsonScalar | JsonScalar[] | JsonOperators | { [key: string]: JsonFilter }

