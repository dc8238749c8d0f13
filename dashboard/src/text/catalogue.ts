const LANGUAGES = ['en', 'de', 'es'] as const
export type Language = (typeof LANGUAGES)[number]
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
}

const STORAGE_KEY = 'tradepost-language'

export const language: Language = (() => {
  const preferred = [localStorage.getItem(STORAGE_KEY), ...navigator.languages]
  const supported = preferred.map((tag) => LANGUAGES.find((item) => tag?.startsWith(item)))
  return supported.find((item) => item !== undefined) ?? 'en'
})()
document.documentElement.lang = language

/** Stores the language and reloads the page, because texts are read when their modules load. */
export function chooseLanguage(chosen: Language) {
  localStorage.setItem(STORAGE_KEY, chosen)
  location.reload()
}

type Texts<Key extends string> = Record<Key, string>

/**
 * The texts of an area in English, German and Spanish, next to each other, so that none can be
 * missing. Returns the texts of the chosen language. A text of another catalogue is passed as a
 * plain string.
 */
export function catalogue<Key extends string>(
  texts: Record<Key, string | readonly [en: string, de: string, es: string]>,
): Texts<Key> {
  const index = LANGUAGES.indexOf(language)
  const entries = Object.entries<string | readonly string[]>(texts)
  const chosen = (text: string | readonly string[]) =>
    typeof text === 'string' ? text : (text[index] ?? '')
  return Object.fromEntries(entries.map(([key, text]) => [key, chosen(text)])) as Texts<Key>
}

/**
 * Fills `{name}` in a text. `{n:unit|units}` is the singular if the value of `n` is "1", and otherwise the plural;
 * the three languages have the same rule.
 */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replace(/\{(\w+)(?::([^|}]*)\|([^}]*))?\}/g, (placeholder, name, singular, plural) => {
    const value = String(values[name] ?? placeholder)
    if (plural === undefined) return value
    return value === '1' ? singular : plural
  })
