// Entry of assets/chart.js, loaded when a demo starts: the parts of echarts that
// Openloop draws with, and the binding of a figure to them. SVG only: under some
// thousand marks it is as fast as canvas, it prints, and its text can be read.

import * as core from 'echarts/core';
import { LineChart, BarChart, ScatterChart } from 'echarts/charts';
import {
  GridComponent, TooltipComponent, LegendComponent, MarkLineComponent, MarkAreaComponent, AriaComponent,
} from 'echarts/components';
import { LabelLayout } from 'echarts/features';
import { SVGRenderer } from 'echarts/renderers';
import { LiveChart } from './charts.js';
import { SmallChart } from './small.js';
import { saved } from './svg.js';

core.use([
  LineChart, BarChart, ScatterChart, GridComponent, TooltipComponent, LegendComponent,
  MarkLineComponent, MarkAreaComponent, AriaComponent, LabelLayout, SVGRenderer,
]);

window.openloopChart = { ...core, LiveChart, SmallChart, saved };
