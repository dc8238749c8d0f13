// Splits the printed client into files: one for each area, and one for shared shapes.

/** @typedef {{ name: string, about: string[], lines: string[], answers: string[] }} Area with its methods' lines, and the types that they answer */
/** @typedef {Map<string, string[]>} Shapes lines by name */

/** The line limit of written files holds for printed ones too, less their head and imports. */
const LINES_MAX = 400 - 10
const SHARED = 'shared'
/** Types of the client that are not printed, by file. */
const GIVEN = {
  'call.ts': ['Call'],
  'list.ts': ['List'],
  'transport.ts': ['CallOptions', 'PostOptions', 'VersionOptions'],
}

/**
 * The names of the printed client of one API.
 *
 * @typedef {object} Api
 * @property {string} title such as `the Store API`
 * @property {string} client the interface of the client
 * @property {string} about its description
 * @property {string} shared the path from a printed file to `sdk/client/`
 */

/** @param {Api} api */
export const headerOf = ({ title }) =>
  `// Written by \`npm run sdk:types\` from the endpoints of ${title}. Do not edit.`

/** Counts lines; an element may contain several. @param {string[]} lines */
const heightOf = (lines) => lines.join('\n').split('\n').length

/** @param {string} name */
const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
/** @param {string} name */
const interfaceOf = (name) => `${name[0]?.toUpperCase()}${name.slice(1)}Api`

/**
 * @param {Area[]} areas
 * @param {Shapes} shapes
 * @param {Api} api
 * @returns {Map<string, string>} texts by the name of their file
 */
export function intoFiles(areas, shapes, api) {
  const uses = usesIn(shapes)
  const homes = homesOf(areas, shapes, uses)
  const files = new Map(
    [...areas.map(({ name }) => name), SHARED].map((name) => [name, linesAt(name)]),
  )

  /** @param {string} home */
  function linesAt(home) {
    const area = areas.find(({ name }) => name === home)
    const shown = [...shapes].filter(([name]) => homes.get(name) === home)
    return [...(area ? apiOf(area) : []), ...shown.flatMap(([, lines]) => lines)]
  }

  /** @param {string} name @param {string} to @param {Iterable<string>} moved */
  function move(name, to, moved) {
    for (const shape of moved) if (homes.get(shape) === name) homes.set(shape, to)
    files.set(name, linesAt(name)).set(to, linesAt(to))
  }
  /** @param {string} name */
  const isLong = (name) => heightOf(files.get(name) ?? []) > LINES_MAX

  for (const { name, answers } of areas) {
    if (isLong(name)) move(name, `${name}Records`, reached(uses(answers), shapes, uses))
    // Shapes that only requests have are left.
    if (isLong(name)) move(name, `${name}Requests`, [...homes.keys()])
  }
  while (heightOf(files.get(SHARED) ?? []) > LINES_MAX) {
    const records = moveRecords(areas, shapes, homes)
    files.set(SHARED, linesAt(SHARED)).set(records, linesAt(records))
  }
  const printed = [...files].filter(([, lines]) => lines.length > 0)
  return new Map([
    ...printed.map(
      ([name, lines]) =>
        /** @type {const} */ ([`${kebab(name)}.gen.ts`, fileOf(name, lines, { homes, api })]),
    ),
    [
      'client.gen.ts',
      clientOf(
        areas,
        printed.map(([name]) => name),
        api,
      ),
    ],
  ])
}

/**
 * Moves shapes that several areas share to the records of the first area that answers them: of the area with
 * the most such lines.
 * @param {Area[]} areas @param {Shapes} shapes @param {Map<string, string>} homes
 */
function moveRecords(areas, shapes, homes) {
  const uses = usesIn(shapes)
  const left = new Set([...homes.keys()].filter((shape) => homes.get(shape) === SHARED))
  const groups = areas.map(({ name, answers }) => {
    const own = [...reached(uses(answers), shapes, uses)].filter((shape) => left.delete(shape))
    const height = heightOf(own.flatMap((shape) => shapes.get(shape) ?? []))
    return { records: `${name}Records`, own, height }
  })
  const [most] = groups.filter(({ own }) => own.length > 0).sort((a, b) => b.height - a.height)
  if (!most) throw new Error(`${SHARED}.gen.ts is too long, and no area answers its shapes.`)
  for (const shape of most.own) homes.set(shape, most.records)
  return most.records
}

/** @param {Area} area */
const apiOf = ({ name, about, lines }) => [
  ...about,
  `export interface ${interfaceOf(name)} {`,
  ...lines,
  '}',
  '',
]

/** The shapes that code uses. Words in comments do not count. @param {Shapes} shapes */
const usesIn = (shapes) => (/** @type {readonly string[]} */ lines) => {
  const code = lines.join('\n').replace(/\/\*\*[\s\S]*?\*\//g, '')
  return [...new Set(code.match(/\b[A-Z]\w+/g))].filter((name) => shapes.has(name))
}

/** These shapes and the shapes that they contain. @param {string[]} names @param {Shapes} shapes @param {ReturnType<typeof usesIn>} uses */
function reached(names, shapes, uses) {
  const seen = new Set(names)
  for (const name of seen) for (const used of uses(shapes.get(name) ?? [])) seen.add(used)
  return seen
}

/** The area of each shape that only one area needs. @param {Area[]} areas @param {Shapes} shapes @param {ReturnType<typeof usesIn>} uses */
function homesOf(areas, shapes, uses) {
  /** @type {Map<string, string>} */
  const homes = new Map()
  for (const { name, lines } of areas) {
    for (const shape of reached(uses(lines), shapes, uses)) {
      homes.set(shape, homes.has(shape) ? SHARED : name)
    }
  }
  return homes
}

/** @param {string} home @param {string[]} lines @param {{ homes: Map<string, string>, api: Api }} context */
function fileOf(home, lines, { homes, api }) {
  const code = lines.join('\n')
  const uses = usesIn(
    new Map([...homes.keys(), ...Object.values(GIVEN).flat()].map((name) => [name, []])),
  )
  const used = uses(lines)
  const others = [...new Set(homes.values())].filter((other) => other !== home)
  const imports = [
    ...others.map((other) => ({
      from: `./${kebab(other)}.gen.ts`,
      names: used.filter((name) => homes.get(name) === other),
    })),
    ...Object.entries(GIVEN).map(([file, names]) => ({
      from: api.shared + file,
      names: used.filter((name) => names.includes(name)),
    })),
  ]
  return [
    headerOf(api),
    ...imports
      .filter(({ names }) => names.length > 0)
      .sort((a, b) => (a.from < b.from ? -1 : 1))
      .map(({ names, from }) => `import type { ${names.sort().join(', ')} } from '${from}'`),
    '',
    code,
  ].join('\n')
}

/** @param {Area[]} areas @param {string[]} files @param {Api} api */
const clientOf = (areas, files, api) =>
  [
    headerOf(api),
    ...areas.map(
      ({ name }) => `import type { ${interfaceOf(name)} } from './${kebab(name)}.gen.ts'`,
    ),
    '',
    ...files.map((name) => `export type * from './${kebab(name)}.gen.ts'`),
    '',
    `/** ${api.about} */`,
    `export interface ${api.client} {`,
    ...areas.flatMap(({ name, about }) => [
      ...about.map((line) => `  ${line}`),
      `  ${name}: ${interfaceOf(name)}`,
    ]),
    '}',
    '',
  ].join('\n')
