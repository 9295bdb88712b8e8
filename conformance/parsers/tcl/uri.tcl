# uri::split of Tcllib.
package require json
package require json::write
package require uri
fconfigure stdin -encoding utf-8
fconfigure stdout -encoding utf-8 -buffering line
json::write indented false
while {[gets stdin line] >= 0} {
    set asked [json::json2dict $line]
    set valid false
    set host null
    if {![catch {uri::split [dict get $asked text] ""} found]} {
        set scheme [expr {[dict exists $found scheme] ? [dict get $found scheme] : ""}]
        set valid [expr {$scheme ne "" || [dict get $asked rule] ne "URI" ? "true" : "false"}]
        if {[dict exists $found host]} { set host [json::write string [dict get $found host]] }
    }
    puts [json::write object valid $valid host $host]
}
