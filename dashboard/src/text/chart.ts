import { catalogue } from './catalogue.ts'

export const chart = catalogue({
  view: ['View', 'Ansicht', 'Vista'],
  chart: ['Chart', 'Diagramm', 'Gráfico'],
  hint: [
    'Point at the chart, or use the left and right arrow keys, to read values.',
    'Zeigen Sie auf das Diagramm oder nutzen Sie die Pfeiltasten links und rechts, um Werte zu lesen.',
    'Apunte al gráfico, o use las flechas izquierda y derecha, para leer valores.',
  ],
  share: ['Share', 'Anteil', 'Parte'],
})
