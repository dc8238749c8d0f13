import { catalogue } from './catalogue.ts'

export const sorting = catalogue({
  up: ['Move {name} up', '{name} nach oben', 'Subir {name}'],
  down: ['Move {name} down', '{name} nach unten', 'Bajar {name}'],
  moved: [
    'Moved to position {n} of {of}.',
    'Auf Platz {n} von {of} verschoben.',
    'Movido al puesto {n} de {of}.',
  ],
})
