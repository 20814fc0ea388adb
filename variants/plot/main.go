// Command plot draws cold.svg from the tables of BenchmarkCold in SPEED.md, as
// TestSpeed of package variants has it do:
//
//	go run -C variants/plot .
//
// It is a module of its own, so that no other needs the library.
package main

import (
	"bytes"
	"fmt"
	"image/color"
	"log"
	"os"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("plot: ")
	text, err := os.ReadFile("../SPEED.md")
	if err != nil {
		log.Fatal(err)
	}
	svg, err := Draw(string(text))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("../cold.svg", svg, 0o666); err != nil {
		log.Fatal(err)
	}
}

// Colors that can be seen on white and on black.
var (
	gray    = color.RGBA{0x80, 0x85, 0x8c, 0xff}
	variant = map[string]color.Color{
		"rolled":   color.RGBA{0x2f, 0x81, 0xf7, 0xff},
		"unrolled": color.RGBA{0xe0, 0x6c, 0x1c, 0xff},
	}
)

// dashes are the lines by MiB of other code.
var dashes = map[string][]vg.Length{"0": {vg.Points(1), vg.Points(3)}, "4": {vg.Points(6), vg.Points(3)}, "64": nil}

// A series is a column of a table: of a variant after some MiB of other code.
type series struct {
	variant, other string
	points         plotter.XYs // blocks, ns per block
}

var heading = regexp.MustCompile(`(?m)^## (\w+)$`)

// Draw returns the plot of the tables in text, one beside the other.
func Draw(text string) ([]byte, error) {
	var plots []*plot.Plot
	at := heading.FindAllStringSubmatchIndex(text, -1)
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		columns, err := parse(text[m[1]:end])
		if err != nil {
			return nil, err
		}
		p, err := panel(text[m[2]:m[3]], columns, i == 0)
		if err != nil {
			return nil, err
		}
		plots = append(plots, p)
	}
	if len(plots) == 0 {
		return nil, fmt.Errorf("no section in SPEED.md")
	}
	for _, p := range plots { // one scale
		plots[0].Y.Min, plots[0].Y.Max = min(plots[0].Y.Min, p.Y.Min), max(plots[0].Y.Max, p.Y.Max)
	}
	for _, p := range plots {
		p.Y.Min, p.Y.Max = plots[0].Y.Min, plots[0].Y.Max
	}
	canvas := vgsvg.New(vg.Length(len(plots))*10*vg.Centimeter, 9*vg.Centimeter)
	tiles := draw.Tiles{Rows: 1, Cols: len(plots), PadX: 5 * vg.Millimeter, PadTop: vg.Millimeter, PadRight: 2 * vg.Millimeter}
	for i, c := range plot.Align([][]*plot.Plot{plots}, tiles, draw.New(canvas))[0] {
		plots[i].Draw(c)
	}
	var svg bytes.Buffer
	if _, err := canvas.WriteTo(&svg); err != nil {
		return nil, err
	}
	// The font may not be there.
	return bytes.ReplaceAll(svg.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,sans-serif")), nil
}

// parse returns the columns of the table in section whose first is blocks.
func parse(section string) ([]series, error) {
	_, table, ok := strings.Cut(section, "\n| blocks |")
	if !ok {
		return nil, fmt.Errorf("no table by blocks in SPEED.md")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	lines := strings.Split(strings.TrimSpace(table), "\n")
	var columns []series
	for _, name := range cells(lines[0]) {
		v, other, _ := strings.Cut(name, ", ")
		columns = append(columns, series{variant: v, other: other})
	}
	for _, line := range lines[2:] {
		row := cells(line)
		if len(row) != 1+len(columns) {
			return nil, fmt.Errorf("%d cells in %q, not %d", len(row), line, 1+len(columns))
		}
		blocks, err := strconv.ParseFloat(row[0], 64)
		if err != nil {
			return nil, err
		}
		for i, cell := range row[1:] {
			ns, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, err
			}
			columns[i].points = append(columns[i].points, plotter.XY{X: blocks, Y: ns})
		}
	}
	return columns, nil
}

func cells(line string) (row []string) {
	for c := range strings.SplitSeq(strings.Trim(line, "| "), "|") {
		row = append(row, strings.TrimSpace(c))
	}
	return row
}

// panel returns the plot for an architecture. The first has what is common.
func panel(goarch string, columns []series, first bool) (*plot.Plot, error) {
	p := plot.New()
	p.BackgroundColor = nil
	p.Title.Text = goarch
	p.X.Label.Text = "blocks in a call"
	if first {
		p.Y.Label.Text = "ns per block"
	}
	p.X.Scale, p.Y.Scale = plot.LogScale{}, plot.LogScale{}
	p.X.Tick.Marker, p.Y.Tick.Marker = ticks(powers), ticks(decades)
	for _, style := range []*draw.TextStyle{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &p.Legend.TextStyle} {
		style.Color = gray
		style.Font.Variant = "Sans"
	}
	for _, style := range []*draw.LineStyle{&p.X.LineStyle, &p.Y.LineStyle, &p.X.Tick.LineStyle, &p.Y.Tick.LineStyle} {
		style.Color = gray
	}
	// Thumbnails at the left: a font that is wider than the library's runs free.
	p.Legend.Top, p.Legend.Left, p.Legend.XOffs, p.Legend.Padding = true, true, 3.6*vg.Centimeter, vg.Millimeter
	for _, s := range columns {
		c, ok := variant[s.variant]
		if !ok {
			continue
		}
		line, err := plotter.NewLine(s.points)
		if err != nil {
			return nil, err
		}
		line.Color, line.Width, line.Dashes = c, vg.Points(1.5), dashes[s.other]
		p.Add(line)
		if first {
			p.Legend.Add(s.variant+", "+s.other+" MiB", line)
		}
	}
	return p, nil
}

// ticks marks the numbers of a sequence that are on an axis.
type ticks func(yield func(float64) bool)

func (f ticks) Ticks(from, to float64) (marks []plot.Tick) {
	f(func(x float64) bool {
		if x >= from && x <= to {
			marks = append(marks, plot.Tick{Value: x, Label: fmt.Sprint(x)})
		}
		return x < to
	})
	return marks
}

// powers are the powers of four.
func powers(yield func(float64) bool) {
	for x := 1.; yield(x); x *= 4 {
	}
}

// decades are 1, 2 and 5 with zeros.
func decades(yield func(float64) bool) {
	for x := 1.; yield(x) && yield(2*x) && yield(5*x); x *= 10 {
	}
}
